import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trustedSocket } from '../../src/cli/operator/trusted-socket.ts';

let folder: string;
let data: string;
let server: Server;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'cairn-trust-'));
  data = join(folder, 'above/data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  server = createServer().listen(join(data, 'ops.sock'));
  await once(server, 'listening');
});
afterEach(async () => {
  server.close();
  await once(server, 'close');
  rmSync(folder, { recursive: true, force: true });
});

const me = process.getuid!();
const verdict = (path = data, asked = me): string => {
  try {
    return trustedSocket(path, asked);
  } catch (thrown) {
    const { code, message } = thrown as { code: string; message: string };
    return `${code}: ${message}`;
  }
};

test('[CL21] one that is ours is used, under its real path', () => {
  expect(verdict()).toBe(join(data, 'ops.sock'));
  symlinkSync(join(folder, 'above'), join(folder, 'link'));
  expect(verdict(join(folder, 'link/data'))).toBe(join(data, 'ops.sock'));
});

test('[CL21] a data folder that is a link, a file or somebody else’s', () => {
  symlinkSync(data, join(folder, 'data'));
  expect(verdict(join(folder, 'data'))).toMatch(/^ops-socket-untrusted: .* is a link$/);
  writeFileSync(join(folder, 'file'), '');
  expect(verdict(join(folder, 'file'))).toMatch(/^ops-socket-untrusted: .* is no folder$/);
  expect(verdict(data, me + 1)).toBe(`ops-socket-untrusted: ${data} belongs to another user`);
});

test.each([0o750, 0o705, 0o701, 0o710, 0o755, 0o500])('[CL21] a data folder of mode %o', mode => {
  chmodSync(data, mode);
  expect(verdict()).toBe(`ops-socket-untrusted: ${data} must be for its owner alone: chmod 700 ${data}`);
});

test('[CL21] a folder above that others can change, unless it is sticky', () => {
  const above = join(folder, 'above');
  for (const mode of [0o720, 0o702, 0o777]) {
    chmodSync(above, mode);
    expect(verdict()).toBe(`ops-socket-untrusted: ${above}, above ${data}, can be changed by others`);
  }
  chmodSync(above, 0o1777);
  expect(verdict()).toBe(join(data, 'ops.sock'));
  chmodSync(above, 0o755);
  expect(verdict()).toBe(join(data, 'ops.sock'));
});

// Only root can give a file away.
test.skipIf(me !== 0)('[CL21] a folder above, or a socket, of somebody else', () => {
  const [above, socket] = [join(folder, 'above'), join(data, 'ops.sock')];
  chownSync(above, 12_345, 12_345);
  expect(verdict()).toBe(`ops-socket-untrusted: ${above}, above ${data}, belongs to another user`);
  chownSync(above, 0, 0);
  chownSync(socket, 12_345, 12_345);
  expect(verdict()).toBe(`ops-socket-untrusted: ${socket} belongs to another user`);
});

test('[CL21] something else in its place', () => {
  rmSync(join(data, 'ops.sock'));
  expect(verdict()).toMatch(/^ops-unreachable: nothing serves /);
  symlinkSync(join(folder, 'elsewhere.sock'), join(data, 'ops.sock'));
  expect(verdict()).toBe(`ops-socket-untrusted: ${join(data, 'ops.sock')} is no socket`);
  rmSync(join(data, 'ops.sock'));
  expect(verdict(join(folder, 'none'))).toMatch(/^ops-unreachable: there is no data folder /);
});
