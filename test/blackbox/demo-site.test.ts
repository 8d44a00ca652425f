import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder, startIn, type Cairn } from './cairn.ts';
import { client, request } from './client.ts';
import { exchange, requestText } from './raw.ts';

const START = '<h1>Start</h1>';
let cairn: Cairn;
beforeAll(async () => {
  const folder = makeFolder({
    'demo/index.html': START,
    'demo/app/main.js': 'start()',
    'demo/größe.css': 'a {}',
    'secret.txt': 'Geheim',
  });
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'demo/link.txt'));
  cairn = await startIn(folder, { CAIRN_AUTH_MODE: 'open', ESCUREL_SERVE_DEMO_DIR: './demo' });
});
afterAll(() => cairn.stop());

test.each(['/', '/nothing', '/some/place?x=1', '/app', '/link.txt', '/%00', '/%zz', '/app/main.js/x'])(
  '[HT38] GET %s is the start page (E706)',
  async path => {
    const { status, text, headers } = await request(cairn.origin + path);
    expect([status, text, headers.get('content-type')]).toEqual([200, START, 'text/html; charset=utf-8']);
  },
);

test('[HT38] files are served by name and kind', async () => {
  const script = await request(`${cairn.origin}/app/main.js`);
  expect([script.text, script.headers.get('content-type')]).toEqual(['start()', 'text/javascript; charset=utf-8']);
  expect((await request(`${cairn.origin}/gr%C3%B6%C3%9Fe.css`)).text).toBe('a {}');
});

test.each(['/../secret.txt', '/%2e%2e/secret.txt', '/app/..%2f..%2fsecret.txt', '//etc/passwd', '/..%5csecret.txt'])(
  '[HT38] %s leaves nothing outside the folder (X01)',
  async path => {
    const answer = await exchange(cairn.origin, requestText(path, ['Host: localhost', 'Connection: close'], '', 'GET'));
    expect(answer).toContain(START);
    expect(answer).not.toContain('Geheim');
  },
);

test('[HT38] the routes of the server go first, and pages of every Origin may call', async () => {
  const origin = 'https://elsewhere.example';
  expect((await request(`${cairn.origin}/healthz`)).text).toBe('OK');
  const { status, headers } = await client(cairn.origin).post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { origin });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect((await request(`${cairn.origin}/x`, { headers: { origin } })).headers.get('access-control-allow-origin')).toBe(
    '*',
  );
  expect((await request(`${cairn.origin}/mcp`)).status).toBe(405);
  expect((await request(`${cairn.origin}/x`, { method: 'POST', body: '{}' })).status).toBe(404);
});
