import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requirePrivate } from '../../src/app/private-folder.ts';
import { startOpsSocket } from '../../src/http/ops-socket/index.ts';
import { socketPath } from '../../src/http/ops-socket/socket-path.ts';
import { createLog } from '../../src/kernel/log.ts';
import { ask, TOKEN, world } from './world.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-sock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const log = createLog({ level: 'silent', env: 'test', version: '0' });
const start = (dataDir = folder) =>
  startOpsSocket({ dataDir, token: TOKEN, ops: [], tenant: 'acme', log, now: () => new Date(), nextId: () => 'id' });
const refusal = async (promise: Promise<unknown>): Promise<{ code: string; message: string }> => {
  try {
    await promise;
  } catch (thrown) {
    const { code, message } = thrown as { code: string; message: string };
    return { code, message };
  }
  return { code: 'none', message: '' };
};
const path = (): string => join(folder, 'ops.sock');

describe('the socket', () => {
  test('[OS1] is for its owner, and gone with the server', async () => {
    const before = process.umask(0);
    const here = await world().finally(() => process.umask(before));
    expect(lstatSync(here.socket).isSocket()).toBe(true);
    expect(lstatSync(here.socket).mode & 0o777).toBe(0o600);
    await here.stop();
    expect(existsSync(here.socket)).toBe(false);
    await here.end();
  });

  test('[OS1] a call under way is answered while it stops', async () => {
    const here = await world();
    const answers = Promise.all(Array.from({ length: 5 }, () => here.ask('GET /ops/status')));
    await here.ask('GET /ops/grants');
    const stopping = here.stop();
    for (const { status } of await answers) expect(status).toBe(200);
    await stopping;
    await here.end();
  });

  test('[OS2] left by a process that was killed is replaced', async () => {
    const script = `require('node:net').createServer().listen(${JSON.stringify(path())}, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(lstatSync(path()).isSocket()).toBe(true);
    const running = await start();
    expect((await ask(path(), 'GET /x')).status).toBe(404);
    await running.stop(1000);
  });

  test.each([
    ['a file', () => writeFileSync(path(), 'keep me')],
    ['a folder', () => mkdirSync(path())],
    ['a link to nothing', () => symlinkSync('/nowhere', path())],
    ['a link to a file', () => symlinkSync(join(import.meta.dirname, 'world.ts'), path())],
  ])('[OS3] %s in its place is left alone', async (_what, put) => {
    put();
    const { ino } = lstatSync(path());
    expect(await refusal(start())).toEqual({
      code: 'ops-socket-unavailable',
      message: expect.stringContaining(`${path()} is there and is no socket`),
    });
    expect(lstatSync(path()).ino).toBe(ino);
  });

  test('[OS4] served by somebody else is theirs', async () => {
    const theirs = createServer(socket => socket.on('error', () => {}).end('theirs')).listen(path());
    await once(theirs, 'listening');
    expect(await refusal(start())).toEqual({
      code: 'ops-socket-unavailable',
      message: expect.stringContaining('is served by another process'),
    });
    expect(theirs.listening && existsSync(path())).toBe(true);
    theirs.close();
    await once(theirs, 'close');
  });

  test('[OS4] of one that is running is not taken over', async () => {
    const running = await start();
    expect((await refusal(start())).code).toBe('ops-socket-unavailable');
    expect((await ask(path(), 'GET /x')).status).toBe(404);
    await running.stop(1000);
  });
});

describe('a path that is too long', () => {
  /** A folder below ours whose socket path takes exactly so many bytes, the closing zero byte included. */
  function folderFor(bytes: number): string {
    const name = 'd'.repeat(bytes - Buffer.byteLength(`${folder}//ops.sock`) - 1);
    mkdirSync(join(folder, name));
    return join(folder, name);
  }

  test.each([
    ['linux', 108],
    ['darwin', 104],
    ['freebsd', 104],
    ['openbsd', 104],
    ['netbsd', 104],
  ] as const)('[OS5] on %s holds %i bytes', async (platform, limit) => {
    const fits = folderFor(limit);
    expect(socketPath(fits, platform)).toBe(join(fits, 'ops.sock'));
    expect(await refusal((async () => socketPath(folderFor(limit + 1), platform))())).toEqual({
      code: 'ops-socket-path-too-long',
      message: expect.stringMatching(
        new RegExp(
          `ops\\.sock takes ${limit + 1} bytes of an address that holds ${limit}; choose a shorter CAIRN_DATA_DIR$`,
        ),
      ),
    });
  });

  test('[OS5] counts bytes, not characters', async () => {
    const name = 'ü'.repeat(50);
    mkdirSync(join(folder, name));
    expect((await refusal(start(join(folder, name)))).code).toBe('ops-socket-path-too-long');
  });

  test('[OS5] counts as given and as resolved', async () => {
    const long = folderFor(120);
    symlinkSync(long, join(folder, 's'));
    expect((await refusal(start(join(folder, 's')))).code).toBe('ops-socket-path-too-long');
    mkdirSync(join(folder, 't'));
    const roundabout = `${folder}/${'./'.repeat(60)}t`;
    symlinkSync(join(folder, 't'), join(folder, 'u'.repeat(100)));
    expect((await refusal(start(join(folder, 'u'.repeat(100))))).code).toBe('ops-socket-path-too-long');
    const running = await start(roundabout);
    await running.stop(1000);
  });

  test('[OS1] one that just fits is served', async () => {
    const fits = folderFor(process.platform === 'linux' ? 108 : 104);
    const running = await start(fits);
    expect((await ask(running.path, 'GET /x')).status).toBe(404);
    await running.stop(1000);
  });
});

describe('a folder that others can get at', () => {
  const codeOf = (): string => {
    try {
      requirePrivate(join(folder, 'data'));
      return 'fine';
    } catch (thrown) {
      const { code, message } = thrown as { code: string; message: string };
      return `${code}: ${message}`;
    }
  };
  beforeEach(() => {
    mkdirSync(join(folder, 'data/scopes'), { recursive: true, mode: 0o700 });
    for (const name of [
      'ops.sqlite',
      'ops.sqlite-wal',
      'scopes/sales.sqlite',
      'scopes/sales.sqlite-journal',
      'notes.txt',
    ])
      writeFileSync(join(folder, 'data', name), 'x', { mode: 0o600 });
  });

  test('[OS6] one that is not there yet, or is closed, is fine', () => {
    expect(codeOf()).toBe('fine');
    rmSync(join(folder, 'data/scopes'), { recursive: true });
    expect(codeOf()).toBe('fine');
    rmSync(join(folder, 'data'), { recursive: true });
    expect(codeOf()).toBe('fine');
  });

  test.each(['', 'scopes'])('[OS6] the folder %j', name => {
    for (const mode of [0o750, 0o705, 0o710, 0o701, 0o720, 0o702]) {
      chmodSync(join(folder, 'data', name), mode);
      const place = join(folder, 'data', name);
      expect(codeOf()).toBe(`data-dir-permissions: others can get at it: chmod 700 ${place}`);
    }
  });

  test.each(['ops.sqlite', 'ops.sqlite-wal', 'scopes/sales.sqlite', 'scopes/sales.sqlite-journal'])(
    '[OS6] %s',
    name => {
      for (const mode of [0o640, 0o604, 0o620, 0o602]) {
        chmodSync(join(folder, 'data', name), mode);
        expect(codeOf()).toBe(`data-dir-permissions: others can get at it: chmod 600 ${join(folder, 'data', name)}`);
      }
    },
  );

  test('[OS6] all of them are named, other files are not looked at', () => {
    chmodSync(join(folder, 'data/notes.txt'), 0o666);
    expect(codeOf()).toBe('fine');
    chmodSync(join(folder, 'data'), 0o755);
    chmodSync(join(folder, 'data/ops.sqlite'), 0o644);
    expect(codeOf().split(';')).toHaveLength(2);
    expect(readFileSync(join(folder, 'data/ops.sqlite'), 'utf8')).toBe('x');
  });
});
