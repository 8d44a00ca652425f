import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KEYS } from '../../src/kernel/settings/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'agent-token-of-at-least-32-characters';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the command in an empty folder with no other variables than these. */
function cairn(words: string, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(ROOT, 'src/cli/main.ts'), ...words.split(' ').filter(Boolean)],
    { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

describe('config show', () => {
  const env = { CAIRN_AUTH_MODE: 'dev-token', ESCUREL_DEV_MCP_TOKEN: TOKEN, CAIRN_DEV_IDENTITY: 'dev@example.org' };

  test('[CL1] prints every setting with value and source, secrets hidden', () => {
    writeFileSync(join(folder, 'cairn.json'), '{"server": {"port": 9000}}');
    const { status, stdout, stderr } = cairn('config show', {
      ...env,
      ESCUREL_WEBHOOK_URL: 'https://hooks.example.org',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('server.port = 9000  [server.port in cairn.json]\n');
    expect(stdout).toContain('auth.mode = dev-token  [CAIRN_AUTH_MODE]\n');
    expect(stdout).toContain('dev.mcp_token = ********  [ESCUREL_DEV_MCP_TOKEN]\n');
    expect(stdout).toContain('server.host = 127.0.0.1  [default]\n');
    expect(stdout).toContain('public_url = (not set)  [default]\n');
    expect(stderr).toMatch(/^warning: part-not-built: ESCUREL_WEBHOOK_URL has no effect: .*\n$/);
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  test('[CL1] with --json is one object on stdout', () => {
    const { status, stdout, stderr } = cairn('config show --json', { ...env, RUST_LOG: 'hyper=trace' });
    expect([status, stderr]).toEqual([0, '']);
    const shown = JSON.parse(stdout) as { settings: { key: string }[] };
    expect(shown).toMatchObject({ refusals: [], warnings: [{ code: 'value-unknown' }], config: { exists: false } });
    expect(shown.settings.map(one => one.key)).toEqual(KEYS.filter(key => key !== 'server.listen_http'));
    expect(shown.settings).toContainEqual({ key: 'dev.mcp_token', value: '********', source: 'ESCUREL_DEV_MCP_TOKEN' });
  });

  test('[CL2, CL7] shows the values of a refused start as well, then the reasons', () => {
    const { status, stdout, stderr } = cairn('config show', {
      CAIRN_PORT: 'x',
      CAIRN_TENANT: 'acme',
      CAIRN_AUTH_MODE: 'basic',
    });
    expect(status).toBe(1);
    expect(stdout).toContain('server.tenant = acme  [CAIRN_TENANT]\n');
    expect(stderr.split('\n').toSorted()).toEqual([
      '',
      'auth-mode-unknown: CAIRN_AUTH_MODE must be one of dev-token, oidc, cloudflare-access, open',
      'setting-invalid: CAIRN_PORT must be a whole number from 0 to 65535',
    ]);
  });

  test('[CL2] with --json carries the reasons', () => {
    const { status, stdout } = cairn('config show --json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ refusals: [{ code: 'auth-mode-missing' }] });
  });
});

describe('config path', () => {
  test('[CL3] is the file that is used, or would be', () => {
    expect(cairn('config path')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/\/cairn\.json\n$/),
      stderr: expect.stringContaining('not there'),
    });
    writeFileSync(join(folder, 'groundnote.json'), '{}');
    expect(cairn('config path')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/\/groundnote\.json\n$/),
      stderr: '',
    });
    expect(cairn('config path', { GROUNDNOTE_CONFIG: '/etc/x.json' }).stdout).toBe('/etc/x.json\n');
  });
});

describe('config init', () => {
  test('[CL4] writes a file that starts once the token is set', () => {
    const { status, stdout, stderr } = cairn('config init');
    expect(status).toBe(0);
    expect(stdout).toMatch(/\/cairn\.json\n$/);
    expect(stderr).toContain('CAIRN_DEV_MCP_TOKEN');
    expect(cairn('config show', { CAIRN_DEV_MCP_TOKEN: TOKEN })).toMatchObject({ status: 0, stderr: '' });
  });

  test.each(['cairn.json', 'groundnote.json'])('[CL4] leaves %s alone', name => {
    writeFileSync(join(folder, name), 'mine');
    expect(cairn('config init')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^config-exists: \S+ is there already/),
    });
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, name === 'cairn.json' ? 'groundnote.json' : 'cairn.json'))).toBe(false);
  });

  test('[CL4, CL7] says why a file cannot be written', () => {
    const { status, stderr } = cairn('config init', { CAIRN_CONFIG: 'no/such/folder/cairn.json' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^config-not-written: .*ENOENT.*\n$/);
  });
});

describe('exit codes', () => {
  test.each(['version', '--version', '-V'])('[CL5] %s', words => {
    expect(cairn(words)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each(['config shwo', 'config show --jsn', 'version extra words', 'config'])(
    '[CL6] %s is a usage error',
    words => {
      expect(cairn(words)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/\S/) });
    },
  );

  test('[CL6] help is no error', () => {
    expect(cairn('config --help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: cairn config'),
      stderr: '',
    });
  });

  test.each([
    ["Object.assign(new Error('no\\n  room'), { code: 'disk-full' })", 'disk-full: no room\n'],
    [
      "Object.assign(new Error('x'), { refusals: [{ code: 'a', message: '1' }, { code: 'b', message: '2' }] })",
      'a: 1\nb: 2\n',
    ],
    ["new TypeError('odd')", 'internal: odd\n'],
    ["'thrown text'", 'internal: thrown text\n'],
  ])('[CL6, CL7] a program that throws %s', (thrown, lines) => {
    const module = JSON.stringify(pathToFileURL(join(ROOT, 'src/cli/exit.ts')).href);
    const program = `import { runToExit } from ${module}; await runToExit(async () => { throw ${thrown}; });`;
    const words = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: lines });
  });
});
