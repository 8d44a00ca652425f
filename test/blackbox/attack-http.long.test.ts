import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, request, type Client } from './client.ts';
import { path, write, instance, writeSkill } from './page.ts';
import { exchange, lastWords, open, requestText, statuses } from './raw.ts';

let issuer: TestIssuer;
let cairn: Cairn;
let token: string;
let root: string;
let agent: Client;
let host: string;
beforeAll(async () => {
  issuer = await startIssuer();
  cairn = await startCairn({ CAIRN_AUTH_OIDC_ISSUER: issuer.issuer }, ROOMY);
  token = await issuer.token();
  root = await issuer.token({ sub: 'root', roles: ['escurel:admin'] });
  agent = client(cairn.origin, token);
  host = `Host: ${new URL(cairn.origin).host}`;
  await writeSkill(agent, 'note');
});
afterEach(async () => {
  if ((await agent.rpc('ping')).status !== 200) throw new Error('no answer');
});
afterAll(async () => {
  await cairn.stop();
  await issuer.stop();
});

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const usual = (): string[] => [
  host,
  'Content-Type: application/json',
  `Authorization: Bearer ${token}`,
  'Connection: close',
];
const ping = (headers: readonly string[] = usual(), target = '/mcp') =>
  exchange(cairn.origin, requestText(target, headers, PING));

describe('bodies', () => {
  test('E081 over 32 MiB is a JSON 413 that any client gets to see, up to it is taken', async () => {
    for (let at = 0; at < 6; at += 1) {
      const { status, json } = await agent.post(new Uint8Array(33 * 1024 * 1024));
      expect([status, json.error]).toEqual([413, 'payload_too_large']);
    }
    const raw = await open(cairn.origin);
    raw.send(requestText('/mcp', [...usual(), `Content-Length: ${32 * 1024 * 1024 + 1}`]));
    const answer = await raw.closed();
    expect(statuses(answer)).toEqual([413]);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
      error: 'payload_too_large',
      max_bytes: 32 * 1024 * 1024,
    });
    const content = instance('note', 'large', '', 'wort '.repeat(5 * 1024 * 1024));
    expect(await agent.ok('update_page', { page_id: path('note', 'large'), content })).toMatchObject({ ok: true });
  });

  test.each(['Content-Length: 104857600', 'Transfer-Encoding: chunked'])(
    '100 MB under %s are not waited for',
    async length => {
      const raw = await open(cairn.origin);
      raw.send(requestText('/mcp', [...usual(), length]));
      const piece = Buffer.alloc(1024 * 1024, 0x20);
      const chunk = length.startsWith('T')
        ? Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')])
        : piece;
      for (let sent = 0; sent < 100 && !raw.socket.destroyed; sent += 1) {
        if (!raw.socket.write(chunk)) {
          await Promise.race([new Promise(resolve => raw.socket.once('drain', resolve)), raw.closed()]);
        }
      }
      expect(statuses(await raw.closed())).toEqual([413]);
    },
  );

  test('a stranger is told who they are not, not how large they may be', async () => {
    const stranger = client(cairn.origin);
    expect((await stranger.post(new Uint8Array(1024 * 1024))).status).toBe(401);
    expect((await stranger.post('not json')).status).toBe(400);
  });

  test('compressed bodies and other kinds of text are refused', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    expect((await agent.post(bomb, { 'content-encoding': 'gzip' })).status).toBe(415);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await agent.post(PING, { 'content-type': type })).status).toBe(415);
  });

  test('bytes that are no UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    expect((await agent.post(bytes)).status).toBe(400);
  });
});

describe('credentials', () => {
  test('two credentials on one request are none', async () => {
    const [, , authorization] = usual();
    for (const second of [
      authorization!,
      `Authorization: Bearer ${root}`,
      'Authorization: Basic eDp5',
      'authorization:',
    ])
      expect(statuses(await ping([...usual(), second]))).toEqual([401]);
    const joined = [
      host,
      'Content-Type: application/json',
      `Authorization: Bearer ${token}, Bearer ${root}`,
      'Connection: close',
    ];
    expect(statuses(await ping(joined))).toEqual([401]);
  });

  test('a token anywhere else does not count', async () => {
    const bare = [host, 'Content-Type: application/json', 'Connection: close'];
    for (const elsewhere of [
      `Cookie: access_token=${token}`,
      `Proxy-Authorization: Bearer ${token}`,
      `X-Authorization: Bearer ${token}`,
    ])
      expect(statuses(await ping([...bare, elsewhere]))).toEqual([401]);
    expect(statuses(await ping(bare, `/mcp?access_token=${token}`))).toEqual([401]);
  });

  test('headers that proxies set make nobody', async () => {
    const bare = [host, 'Content-Type: application/json', 'Connection: close'];
    for (const header of [
      'X-Forwarded-User: root',
      'X-Forwarded-For: 127.0.0.1',
      'Cf-Access-Jwt-Assertion: x',
      'X-Original-URL: /healthz',
    ])
      expect(statuses(await ping([...bare, header]))).toEqual([401]);
  });
});

describe('two readings of one request', () => {
  const smuggled = () => requestText('/healthz', [host], '', 'GET');
  test.each([
    ['length and chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked']],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 40']],
    ['a length with a sign', ['Content-Length: +40']],
    ['a length in hex', ['Content-Length: 0x28']],
    ['chunks of another name', ['Transfer-Encoding: xchunked']],
    ['chunks not last', ['Transfer-Encoding: chunked, identity']],
    ['a blank before the colon', ['Content-Length : 40']],
    ['a folded header', ['X-A: b\r\n c: d\r\nTransfer-Encoding:\r\n chunked']],
    ['a NUL in a header', ['X-A: a\u0000b']],
    ['a bare CR', ['X-A: a\rTransfer-Encoding: chunked']],
  ])('%s are refused, and what follows is not served', async (_, headers) => {
    const answer = await exchange(
      cairn.origin,
      requestText(
        '/mcp',
        [host, 'Content-Type: application/json', `Authorization: Bearer ${token}`, ...headers],
        `0\r\n\r\n${smuggled()}`,
      ),
    );
    expect(statuses(answer)).toEqual([400]);
  });

  test('pipelined requests are answered in order, each by its own credential', async () => {
    const as = (who: string | null, close = false) =>
      requestText(
        '/mcp',
        [
          host,
          'Content-Type: application/json',
          ...(who ? [`Authorization: Bearer ${who}`] : []),
          ...(close ? ['Connection: close'] : []),
        ],
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tenant_get"}}',
      );
    const answer = await exchange(cairn.origin, as(root) + as(token) + as(null) + as(root, true));
    expect(statuses(answer)).toEqual([200, 200, 401, 200]);
    expect(answer.match(/admin_required/g)).toHaveLength(1);
    expect(answer.match(/"tenant_id"/g)).toHaveLength(2);
  });

  test('more headers than anyone needs', async () => {
    const many = Array.from({ length: 3000 }, (_, at) => `X-${at}: ${'y'.repeat(20)}`);
    expect(statuses(await ping([...usual(), ...many]))).toEqual([431]);
    expect(statuses(await ping([...usual(), `X-A: ${'y'.repeat(100_000)}`]))).toEqual([431]);
  });
});

describe('targets and methods', () => {
  test('only the exact path is an endpoint', async () => {
    for (const target of [
      '/MCP',
      '//mcp',
      '/mcp/',
      '/mcp%2f',
      '/mcp/../mcp',
      '/%6dcp',
      '/mcp;x',
      '/mcp/pages/',
      '/x/../mcp',
    ])
      expect([target, statuses(await ping(usual(), target))]).toEqual([target, [404]]);
  });

  test('a target that is no path is refused', async () => {
    for (const target of ['http://evil.example/mcp', 'mcp', '*', 'evil.example:80'])
      expect(statuses(await ping(usual(), target))[0]).toBe(400);
  });

  test('other methods on an endpoint are 405, for callers who are known', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'TRACE']) {
      const known = await exchange(cairn.origin, requestText('/mcp', usual(), '', method));
      expect([method, statuses(known)]).toEqual([method, [405]]);
      const unknown = await exchange(cairn.origin, requestText('/mcp', [host, 'Connection: close'], '', method));
      expect([method, statuses(unknown)]).toEqual([method, [401]]);
    }
  });

  test('what is no HTTP is refused', async () => {
    for (const bytes of [
      '\u0016\u0003\u0001\u0002\u0000',
      'GET /healthz\r\n\r\n',
      'hello\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\r\n'.repeat(1000),
    ])
      expect(statuses(await lastWords(cairn.origin, Buffer.from(bytes, 'latin1')))).not.toContain(200);
    expect(
      statuses(
        await exchange(cairn.origin, requestText('/mcp', [...usual(), 'Upgrade: websocket', 'Connection: Upgrade'])),
      ),
    ).not.toContain(101);
  });
});

describe('Host and Origin', () => {
  const port = (): string => new URL(cairn.origin).port;
  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    'evil.example#localhost',
    '0.0.0.0',
    '10.0.0.1',
    '[::ffff:10.0.0.1]',
    '',
  ])('Host %s is not ours', async name => {
    const headers = [`Host: ${name}`, ...usual().slice(1)];
    expect(statuses(await ping(headers))[0]).toBeOneOf([400, 403, 421]);
    expect(
      statuses(
        await exchange(cairn.origin, requestText('/healthz', [`Host: ${name}`, 'Connection: close'], '', 'GET')),
      )[0],
    ).toBeOneOf([400, 403, 421]);
  });

  test('no Host and two Hosts', async () => {
    expect(statuses(await ping(usual().slice(1)))).toEqual([400]);
    for (const second of ['Host: evil.example', host, 'host: localhost'])
      expect(statuses(await ping([...usual(), second]))).toEqual([400]);
  });

  test.each([
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'http://127.0.0.1@evil.example',
    'file://',
    'chrome-extension://abc',
    'http://evil.example:8080',
  ])('pages of %s may not call', async origin => {
    const answer = await ping([...usual(), `Origin: ${origin}`]);
    expect(statuses(answer)).toEqual([403]);
    expect(answer.toLowerCase()).not.toContain('access-control-allow-origin');
  });

  test('pages of this machine may', async () => {
    const answer = await ping([...usual(), `Origin: http://localhost:${port()}`]);
    expect(statuses(answer)).toEqual([200]);
    expect(answer).not.toContain('*');
  });
});

describe('request ids', () => {
  test.each(['x'.repeat(15_000), 'a b"c\\d', 'ü', '{"level":"error"}', '<script>', 'a\tb'])(
    'the id %# cannot disturb answer or log',
    async id => {
      const answer = await exchange(
        cairn.origin,
        Buffer.from(
          requestText(
            '/mcp',
            [...usual(), `X-Request-Id: ${id}`],
            '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_skills"}}',
          ),
          'latin1',
        ),
      );
      expect(statuses(answer)).toEqual([200]);
      const [head] = answer.split('\r\n\r\n') as [string];
      expect(head.length).toBeLessThan(20_000);
      expect(head.match(/^x-request-id:/gim)).toHaveLength(1);
      // Every line of the log is one JSON object: the harness reads them all.
      expect(cairn.log().at(-1)).toMatchObject({ app: 'escurel' });
    },
  );
});

describe('slow and rude peers', () => {
  test('connections that say nothing, half a header or half a body keep nobody waiting', async () => {
    const half = requestText('/mcp', [...usual().slice(0, 3), 'Content-Length: 1000'], '{"jsonrpc":');
    const peers = await Promise.all(
      Array.from({ length: 150 }, async (_, at) => {
        const raw = await open(cairn.origin);
        if (at % 3 === 1) raw.send('POST /mcp HTTP/1.1\r\nHost: local');
        if (at % 3 === 2) raw.send(half);
        return raw;
      }),
    );
    const answers = await Promise.all(Array.from({ length: 50 }, () => agent.rpc('ping')));
    for (const { socket } of peers) socket.destroy();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('peers that never read keep nobody waiting', async () => {
    await write(agent, { [path('note', 'big')]: instance('note', 'big', '', 'wort '.repeat(400_000)) });
    const ask = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'expand', arguments: { page_id: path('note', 'big') } },
    });
    const peers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const raw = await open(cairn.origin);
        raw.socket.pause();
        raw.send(requestText('/mcp', usual(), ask));
        return raw;
      }),
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.rpc('ping')));
    for (const { socket } of peers) socket.destroy();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('peers that leave in the middle leave nothing behind', async () => {
    const content = instance('note', 'left', '', 'x\n'.repeat(1000));
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'update_page', arguments: { page_id: path('note', 'left'), content } },
    });
    const text = requestText('/mcp', usual(), body);
    for (const cut of [10, 200, text.length - 100, text.length - 1]) {
      const raw = await open(cairn.origin);
      await new Promise(resolve => raw.socket.write(text.slice(0, cut), resolve));
      raw.socket.destroy();
    }
    expect(await agent.ok('expand', { page_id: path('note', 'left') })).toEqual({ page: null });
  });

  test('a thousand requests on one connection', async () => {
    const one = requestText('/mcp', usual().slice(0, 3), PING);
    const answer = await exchange(cairn.origin, one.repeat(999) + requestText('/mcp', usual(), PING));
    expect(statuses(answer).filter(status => status === 200)).toHaveLength(1000);
  });

  test('a stop waits for nobody who does not move', async () => {
    const other = await startCairn();
    const raw = await open(other.origin);
    raw.send('POST /mcp HTTP/1.1\r\nHost: local');
    const idle = await open(other.origin);
    expect((await request(`${other.origin}/readyz`)).status).toBe(200);
    expect(await other.end()).toBe(0);
    expect((await raw.closed()) + (await idle.closed())).not.toContain(' 200 ');
    await other.stop();
  });
});

test('nothing of what was sent is a fault of ours', () => {
  const faults = cairn.log().filter(({ level }) => level === 'error' || level === 'fatal');
  expect(faults).toEqual([]);
  expect(JSON.stringify(cairn.log())).not.toContain(token.split('.')[2]);
});
