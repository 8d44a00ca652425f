import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../settings/forward-proxy.ts';
import { command, OPEN, refusedStart, startCairn } from './cairn.ts';
import { client, request } from './client.ts';
import { environment, VARIABLES } from './settings-table.ts';

interface Row {
  readonly key: string;
  readonly value: string | null;
  readonly source: string;
}

function shown(env: Record<string, string>, files?: Record<string, string>): readonly Row[] {
  const { code, stdout, stderr } = command(['config', 'show', '--json'], env, files);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { settings: readonly Row[] }).settings;
}

const ISSUER = { CAIRN_AUTH_OIDC_ISSUER: 'https://id.example.org' };
let defaults: ReadonlyMap<string, string | null>;
let rows: readonly Row[];
const from = (source: string): Row | undefined => rows.find(row => row.source === source);

beforeAll(() => {
  defaults = new Map(shown({ CAIRN_AUTH_MODE: 'open' }).map(({ key, value }) => [key, value]));
  rows = shown(environment('ESCUREL', ({ value }) => value));
});

describe.each(VARIABLES)('$fact ESCUREL_$name', variable => {
  const name = `ESCUREL_${variable.name}`;

  test(`${variable.fact} ${name} is read, and shown with where it came from`, () => {
    expect(from(name)?.value).toBe(variable.secret ? '********' : (variable.shown ?? variable.value));
  });

  test(`${variable.fact} ${name} has its default`, () => {
    expect(defaults.get(from(name)?.key ?? '')).toBe(variable.default);
  });
});

test.each(['CAIRN', 'GROUNDNOTE'])('N001-N080 every variable may begin with %s_', prefix => {
  const sources = shown(environment(prefix, ({ value }) => value)).map(({ source }) => source);
  expect(sources).toEqual(expect.arrayContaining(VARIABLES.map(({ name }) => `${prefix}_${name}`)));
});

test('E744 a bad value of any of them refuses the start and names the variable', () => {
  const bad = environment('ESCUREL', variable => variable.bad);
  const { code, stdout, stderr } = refusedStart({ ...OPEN, ...bad });
  expect([code, stdout]).toEqual([1, '']);
  const named = Object.keys(bad).filter(name => new RegExp(`^setting-invalid: ${name}\\b`, 'm').test(stderr));
  expect(named).toEqual(Object.keys(bad));
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('N001-N080 parts that are not there warn once each, and the server starts', async () => {
  const given = environment('ESCUREL', ({ built, value }) => (built ? undefined : value));
  const cairn = await startCairn({ ...OPEN, ...given });
  const warnings = cairn.log().filter(({ level }) => level === 'warn');
  const { status } = await request(`${cairn.origin}/readyz`);
  await cairn.stop();
  expect(status).toBe(200);
  for (const name of Object.keys(given)) {
    const about = warnings.filter(({ msg }) => new RegExp(`\\b${name}\\b`).test(String(msg)));
    expect([name, about.length]).toEqual([name, 1]);
  }
  for (const { secret, value } of VARIABLES) {
    expect(secret === true && JSON.stringify(cairn.log()).includes(value)).toBe(false);
  }
});

test('N002 VERSION wins over ESCUREL_VERSION', () => {
  expect(shown({ ...ISSUER, ESCUREL_VERSION: '2' }).find(({ source }) => source === 'ESCUREL_VERSION')?.value).toBe(
    '2',
  );
  const both = shown({ ...ISSUER, ESCUREL_VERSION: '2', VERSION: '1' });
  expect(both.find(({ source }) => source === 'VERSION')?.value).toBe('1');
});

test('N005 ESCUREL_SERVER_LISTEN_HTTP is the listener', async () => {
  const cairn = await startCairn({ ...OPEN, ESCUREL_SERVER_LISTEN_HTTP: '127.0.0.1:0' });
  expect((await request(`${cairn.origin}/healthz`)).status).toBe(200);
  await cairn.stop();
  expect(refusedStart({ ...OPEN, ESCUREL_SERVER_LISTEN_HTTP: 'nonsense' }).stderr).toContain(
    'ESCUREL_SERVER_LISTEN_HTTP',
  );
});

test('N017 an empty issuer is an unset one', () => {
  expect(refusedStart({ ESCUREL_AUTH_OIDC_ISSUER: '' }).stderr).toContain('auth-mode-missing');
});

test('N014 N055 an unknown word counts as off and structural, with a warning', () => {
  const odd = shown({ ...OPEN, ESCUREL_WRITE_ACL: 'perhaps', ESCUREL_INGEST_CONTEXTUALIZE: 'perhaps' });
  expect(odd.find(({ key }) => key === 'acl.write')?.value).toBe('off');
  expect(odd.find(({ key }) => key === 'ingest.contextualize')?.value).toBe('structural');
});

test('N076 RUST_LOG sets how much is logged', async () => {
  const cairn = await startCairn({ ...OPEN, RUST_LOG: 'cairn=debug,info' });
  await client(cairn.origin).ok('list_skills');
  await cairn.logged(({ msg }) => msg === 'tool.completed');
  await cairn.stop();
  expect(cairn.log().length).toBeGreaterThan(1);
});

test('N077 what the server asks of others goes through the proxy, whose password is kept out of the log', async () => {
  let reached = (): void => {};
  const asked = new Promise<void>(resolve => (reached = resolve));
  const proxy = await startProxy(reached);
  onTestFinished(proxy.close);
  const cairn = await startCairn({
    ...OPEN,
    ESCUREL_OTLP_ENDPOINT: 'http://collector.example:4318',
    http_proxy: `http://user:geheim@127.0.0.1:${proxy.port}`,
  });
  await client(cairn.origin).ok('list_skills');
  await asked;
  await cairn.stop();
  expect(proxy.asked[0]).toEqual({
    line: 'POST http://collector.example:4318/v1/traces',
    credentials: `Basic ${Buffer.from('user:geheim').toString('base64')}`,
  });
  expect(JSON.stringify(cairn.log())).not.toContain('geheim');
});

test('N078 N079 variables of the command line client do not stop a server', () => {
  expect(shown({ ...OPEN, ESCUREL_SERVER: 'http://127.0.0.1:1', ESCUREL_TOKEN: 'x' }).length).toBeGreaterThan(0);
});
