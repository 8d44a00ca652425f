import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run, type Run } from '../cli/run.ts';
import { SECRETS, world, type World } from '../credentials/world.ts';

const ENV = {
  CAIRN_AUTH_MODE: 'dev-token',
  CAIRN_DEV_IDENTITY: 'ann@example.org',
  CAIRN_DEV_MCP_TOKEN: SECRETS.mcp,
  CAIRN_DEV_API_TOKEN: SECRETS.api,
  CAIRN_DEV_APPROVAL_TOKEN: SECRETS.approval,
  CAIRN_SESSION_SECRET: SECRETS.session,
  CAIRN_OPS_TOKEN: SECRETS.ops,
  CAIRN_PORT: '0',
} as const;
const CONFIG = {
  instance: 'demo',
  zone: 'Europe/Berlin',
  public_url: 'http://localhost:8080',
  scopes: [{ name: 'sales', providers_allowed: ['local'] }],
  search: {},
  backup: { kind: 'copy', directory: '/backup', deadman_url: 'https://ping.example.org' },
} as const;

describe('cairn serve', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-start-'));
    writeFileSync(join(folder, 'cairn.json'), JSON.stringify(CONFIG));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const serve = (env: Readonly<Record<string, string>> = {}): Promise<Run> =>
    run(['serve'], { ...ENV, ...env }, folder);
  const refusedWith = (message: RegExp) => ({
    code: 1,
    stderr: expect.stringMatching(message),
    stdout: expect.not.stringContaining('listening'),
  });

  test('[OS6] does not start on a folder that others can read', async () => {
    mkdirSync(join(folder, 'data'), { mode: 0o755 });
    expect(await serve()).toMatchObject(refusedWith(/^data-dir-permissions: .*chmod 700 \S+\/data\n$/));
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o755);
    chmodSync(join(folder, 'data'), 0o700);
    writeFileSync(join(folder, 'data/ops.sqlite'), '', { mode: 0o640 });
    expect(await serve()).toMatchObject(refusedWith(/^data-dir-permissions: .*chmod 600 \S+\/data\/ops\.sqlite\n$/));
  });

  test('[OS3, OS5] does not start where its socket cannot be', async () => {
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    writeFileSync(join(folder, 'data/ops.sock'), 'x');
    expect(await serve()).toMatchObject(refusedWith(/^ops-socket-unavailable: .* is no socket\n$/));
    const far = 'd'.repeat(120);
    expect(await serve({ CAIRN_DATA_DIR: far })).toMatchObject(
      refusedWith(/^ops-socket-path-too-long: .* choose a shorter CAIRN_DATA_DIR\n$/),
    );
    expect(existsSync(join(folder, far, 'ops.sock'))).toBe(false);
  });
});

describe('a server with rules', () => {
  let here: World;
  beforeAll(async () => {
    const { CAIRN_PORT: _, ...env } = ENV;
    here = await world({ env });
  });
  afterAll(() => here.end());

  test('[OS18] shows the network no route of the operator', async () => {
    for (const path of ['/ops', '/ops/status', '/ops/grants']) {
      const { status, text } = await here.send({ path, lines: [['authorization', `Bearer ${SECRETS.ops}`]] });
      expect([status, JSON.parse(text)]).toMatchObject([404, { error: expect.stringMatching(/^not.found$/) }]);
    }
    expect((await here.operator('GET /ops/status')).status).toBe(200);
  });

  test('[OS1] takes its socket away when it stops', async () => {
    expect(existsSync(here.socket)).toBe(true);
    await here.stop();
    expect(existsSync(here.socket)).toBe(false);
  });
});
