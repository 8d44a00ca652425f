import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen } from '../support/loopback.ts';
import { makeFolder, OPEN, refusedStart, ROOMY, startCairn, startIn } from './cairn.ts';
import { client, request } from './client.ts';

const TOKEN = 'agent-token-of-at-least-32-characters';
const OTHER = 'other-token-of-at-least-32-characters';

/** What a refused start says; it must end with 1, say nothing on stdout and show no stack. */
function refusal(env: Record<string, string>, files: Record<string, string> = {}): string {
  const { code, stdout, stderr } = refusedStart(env, files);
  if (code !== 1 || stdout !== '' || /^\s+at /m.test(stderr)) throw new Error(`${code} ${stdout} ${stderr}`);
  return stderr;
}

test('no mode, no start', () => {
  expect(refusal({})).toMatch(/^auth-mode-missing: /);
  expect(refusal({ CAIRN_AUTH_MODE: 'trust-me' })).toMatch(/^auth-mode-unknown: /);
});

test('E039 open is for loopback only', () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.7'])
    expect(refusal({ ...OPEN, CAIRN_HOST: host })).toContain('host-not-loopback');
  expect(refusal({ ...OPEN, ESCUREL_SERVER_LISTEN_HTTP: '0.0.0.0:8080' })).toContain('host-not-loopback');
});

test('two spellings with different values refuse the start, equal ones do not', () => {
  const both = refusal({ ...OPEN, CAIRN_TENANT: 'one', ESCUREL_TENANT: 'two' });
  expect(both).toContain('CAIRN_TENANT');
  expect(both).toContain('ESCUREL_TENANT');
  expect(refusal({ CAIRN_AUTH_MODE: 'open', GROUNDNOTE_AUTH_MODE: 'oidc' })).toContain('GROUNDNOTE_AUTH_MODE');
  expect(refusal({ ...OPEN, CAIRN_DATA_DIR: 'a', ESCUREL_SERVER_DATA_DIR: 'b' })).toContain('ESCUREL_SERVER_DATA_DIR');
  expect(refusal({ ...OPEN, CAIRN_PORT: '1', ESCUREL_SERVER_LISTEN_HTTP: '127.0.0.1:2' })).toContain('CAIRN_PORT');
});

test('secrets that differ between two spellings are not shown', () => {
  const said = refusal({ CAIRN_AUTH_MODE: 'dev-token', CAIRN_DEV_MCP_TOKEN: TOKEN, ESCUREL_DEV_MCP_TOKEN: OTHER });
  expect(said).toContain('ESCUREL_DEV_MCP_TOKEN');
  expect(said).not.toContain(TOKEN);
  expect(said).not.toContain(OTHER);
});

test('E738 without ESCUREL_CONFIG no TOML is read; one that is named must be readable and TOML', () => {
  expect(refusal({ ...OPEN, ESCUREL_CONFIG: 'missing.toml' })).toContain('missing.toml');
  expect(refusal({ ...OPEN, ESCUREL_CONFIG: 'bad.toml' }, { 'bad.toml': '[server\nx' })).toMatch(/bad\.toml:1/);
});

test('E738 E739 the environment wins over the file; E743 keys nobody knows are skipped', async () => {
  const cairn = await startCairn(
    { ...OPEN, ESCUREL_CONFIG: 'escurel.toml', ESCUREL_TENANT: 'from-env' },
    {
      'escurel.toml': `
otlp_endpoint = "x"
[server]
data_dir = "kept"
tenant = "from-file"
version = "5.5.5"
env = "lab"
rebuild_index_on_boot = "if-missing"
log_format = "pretty"
[quota.defaults]
queries_per_minute = 1
[unheard_of]
a = 1
`,
    },
  );
  expect((await request(`${cairn.origin}/version`)).text).toBe('5.5.5');
  expect(await client(cairn.origin).ok('tenant_get')).toMatchObject({ spec: { tenant_id: 'from-env' } });
  expect(existsSync(join(cairn.folder, 'kept/state.sqlite'))).toBe(true);
  expect(await client(cairn.origin).ok('admin_quota')).toMatchObject({ queries_remaining: 600 });
  await cairn.stop();
});

test('E740 E741 E742 the sections of the TOML file', () => {
  const toml = `
[auth]
jwks_refresh_secs = "often"
[storage]
backend = "floppy"
[embedding]
provider = "magic"
[retrieval]
rerank_candidates = -1
[observability]
metrics_listen = "nowhere"
[server]
tenant = 7
`;
  const said = refusal({ ...OPEN, ESCUREL_CONFIG: 'e.toml' }, { 'e.toml': toml });
  for (const key of [
    'auth.jwks_refresh_secs',
    'storage.backend',
    'embedding.provider',
    'retrieval.rerank_candidates',
    'observability.metrics_listen',
    'server.tenant',
  ])
    expect(said).toContain(key);
});

test('the two files must not differ', () => {
  const files = { 'cairn.json': '{"server": {"tenant": "one"}}', 'e.toml': '[server]\ntenant = "two"\n' };
  expect(refusal({ ...OPEN, ESCUREL_CONFIG: 'e.toml' }, files)).toContain('settings-conflict');
});

test('cairn.json is strict: syntax, unknown keys, doubled keys, secrets', () => {
  const json = (text: string) => refusal(OPEN, { 'cairn.json': text });
  expect(json('{"server": {"port": 1,}}')).toMatch(/^config-syntax: .*cairn\.json.*1/);
  expect(json('{"server": {"prot": 1}}')).toMatch(/^config-unknown-key: .*prot.*port/);
  expect(json('{"sever": {}}')).toContain('server');
  expect(json('{"server": {"port": 1, "port": 2}}')).toContain('port');
  expect(json('{"server": {"port": "a lot"}}')).toContain('server.port');
  expect(json('[]')).toMatch(/^config-/);
  expect(json('{"__proto__": {"server": 1}}')).toContain('__proto__');
  const secret = json(`{"dev": {"mcp_token": "${TOKEN}"}}`);
  expect(secret).toContain('secret-in-config');
  expect(secret).not.toContain(TOKEN);
});

test('a named configuration file must be there; groundnote.json is read where there is no cairn.json', async () => {
  expect(refusal({ ...OPEN, CAIRN_CONFIG: 'none.json' })).toContain('none.json');
  const cairn = await startCairn(OPEN, { 'groundnote.json': '{"server": {"version": "6.6.6"}}' });
  expect((await request(`${cairn.origin}/version`)).text).toBe('6.6.6');
  await cairn.stop();
});

test('E744 bad values name the variable', () => {
  const said = refusal({ ...OPEN, CAIRN_PORT: 'many', ESCUREL_REBUILD_INDEX_ON_BOOT: 'never' });
  expect(said).toContain('CAIRN_PORT');
  expect(said).toContain('ESCUREL_REBUILD_INDEX_ON_BOOT');
});

test('E745 a reader without the lake', () => {
  expect(refusal({ ...OPEN, ESCUREL_ROLE: 'reader' })).toContain('reader-needs-ducklake');
});

test.each(['Upper', 'a b', 'ü', '../x', 'a'.repeat(65)])('E746 %j is no tenant', tenant => {
  expect(refusal({ ...OPEN, ESCUREL_TENANT: tenant })).toContain('ESCUREL_TENANT');
});

test('mode dev-token: an agent, an admin, nobody else; its tokens are checked at the start', async () => {
  const env = { CAIRN_AUTH_MODE: 'dev-token', CAIRN_DEV_IDENTITY: 'dev@example.org' };
  expect(refusal({ ...env, CAIRN_DEV_MCP_TOKEN: 'short' })).toContain('secret-too-short');
  expect(refusal({ ...env, CAIRN_DEV_MCP_TOKEN: TOKEN, CAIRN_DEV_ADMIN_TOKEN: TOKEN })).toContain('secrets-equal');
  expect(refusal(env)).toContain('CAIRN_DEV_MCP_TOKEN');
  const cairn = await startCairn({ ...env, ESCUREL_DEV_MCP_TOKEN: TOKEN, GROUNDNOTE_DEV_ADMIN_TOKEN: OTHER }, ROOMY);
  const agent = client(cairn.origin, TOKEN);
  await agent.ok('update_page', { page_id: 'a.md', content: '---\ntype: skill\nid: a\n---\n' });
  expect((await agent.ok('expand', { page_id: 'a.md' })).page.last_written_by).toBe('dev@example.org');
  expect((await agent.fails('tenant_get')).code).toBe(-32001);
  expect(await client(cairn.origin, OTHER).ok('tenant_get')).toMatchObject({ spec: { tenant_id: 'default' } });
  expect((await client(cairn.origin, `${TOKEN}x`).rpc('ping')).status).toBe(401);
  expect((await client(cairn.origin).rpc('ping')).status).toBe(401);
  await cairn.stop();
});

test('N004 the data folder and its files are for their owner alone', async () => {
  const cairn = await startCairn({ ...OPEN, ESCUREL_SERVER_DATA_DIR: 'kept' });
  const mode = (path: string) => (statSync(join(cairn.folder, path)).mode & 0o777).toString(8);
  expect([mode('kept'), mode('kept/state.sqlite'), mode('kept/index.sqlite')]).toEqual(['700', '600', '600']);
  await cairn.stop();
});

test('C04 a second process on one data folder is refused with the pid of the first', async () => {
  const cairn = await startCairn();
  const said = refusal({ ...OPEN, CAIRN_DATA_DIR: join(cairn.folder, 'data') });
  await cairn.stop();
  expect(said).toContain(String(cairn.pid));
});

test('a stale lock is taken over after a kill', async () => {
  const folder = makeFolder();
  const killed = await startIn(folder);
  await killed.end('SIGKILL');
  const next = await startIn(folder);
  expect((await request(`${next.origin}/readyz`)).status).toBe(200);
  await next.stop();
});

test('N009 the index is made anew at each start when that is asked for', async () => {
  const started = async (env: Record<string, string>): Promise<number[]> => {
    const cairn = await startCairn({ ...OPEN, ...env });
    await client(cairn.origin).ok('list_skills');
    await cairn.stop();
    const at = (text: RegExp): number => cairn.log().findIndex(({ msg }) => text.test(String(msg)));
    return [at(/^index rebuilt$/), at(/listening/)];
  };
  expect(await started({})).toEqual([-1, expect.any(Number)]);
  const [rebuilt, listening] = await started({ ESCUREL_REBUILD_INDEX_ON_BOOT: 'always' });
  expect(rebuilt).toBeGreaterThanOrEqual(0);
  expect(rebuilt).toBeLessThan(listening!);
});

test('an address that is taken refuses the start', async () => {
  const taken = await listen(() => {});
  // The store opens before the address is asked for, so the log may have said something by then.
  const { code, stderr } = refusedStart({ ...OPEN, CAIRN_PORT: new URL(taken.origin).port });
  await taken.stop();
  expect(code).toBe(1);
  expect(stderr).toMatch(/in use|EADDRINUSE/);
  expect(stderr).not.toMatch(/^\s+at /m);
});
