import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENT, answerOf, as, rpc, STRANGER, world, type World } from './world.ts';

const big = (bytes: number): string => JSON.stringify(rpc('ping', { fill: 'x'.repeat(bytes) }));
const streamed = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();

describe('HTTP around a message', () => {
  let w: World;
  beforeAll(async () => void (w = await world({ limits: { mcpBodyBytes: 256 * 1024 } })));
  afterAll(() => w.stop(0));

  const anonymous = { 'content-type': 'application/json' };
  const post = async (headers: Record<string, string>, body: string | ReadableStream = JSON.stringify(rpc('ping'))) =>
    answerOf(await fetch(`${w.url}/mcp`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit));

  test.each([
    ['no token', {}, 401, /bearer/],
    ['a wrong token', as('wrong'), 401, /^token rejected:/],
    ['another scheme', { authorization: 'Basic YTpi' }, 401, /./],
    ['another tenant', as(STRANGER), 403, /tenant/],
  ])('[HT29] %s', async (_who, headers, status, message) => {
    const answer = await post({ ...anonymous, ...headers });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({
      error: status === 401 ? 'unauthorized' : 'forbidden',
      message: expect.stringMatching(message),
    });
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  });

  test('[HT29] two credentials on one request are none', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = [
        'Host',
        new URL(w.url).host,
        'Authorization',
        `Bearer ${AGENT}`,
        'AUTHORIZATION',
        `Bearer ${AGENT}`,
      ];
      const outgoing = request(`${w.url}/mcp`, { method: 'GET', headers }, incoming => {
        incoming.resume();
        resolve(incoming.statusCode);
      });
      outgoing.on('error', reject).end();
    });
    expect(status).toBe(401);
  });

  test('[HT29] a verifier that breaks is a fault of ours, not a refusal', async () => {
    const broken = await world({
      verifier: {
        verify: async () => {
          throw new Error('no keys at hunter2');
        },
      },
    });
    const answer = await broken.post(rpc('ping'));
    expect([answer.status, answer.json]).toEqual([500, { error: 'internal', message: 'internal error' }]);
    expect(JSON.stringify(broken.logs)).not.toContain('hunter2');
    await broken.stop(0);
  });

  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('[HT30] %s is 401 first and then 405', async method => {
    const ask = async (headers: Record<string, string>) => answerOf(await fetch(`${w.url}/mcp`, { method, headers }));
    expect((await ask({})).status).toBe(401);
    expect((await ask(as(STRANGER))).status).toBe(403);
    const answer = await ask({ ...as(AGENT), accept: 'text/event-stream' });
    expect([answer.status, answer.headers.get('allow'), answer.json.error]).toEqual([
      405,
      'POST',
      'method_not_allowed',
    ]);
  });

  test.each(['', '{', '{"jsonrpc":"2.0"', 'null', '5', '"ping"', '{"jsonrpc":"2.0","id":1}', '\ufeff{}', '[1'])(
    '[HT31] the body %j is no message',
    async body => {
      const answer = await w.post(body);
      expect([answer.status, answer.json]).toEqual([400, undefined]);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.text).toMatch(/^expected/);
    },
  );

  test('[HT31] bytes that are no UTF-8 are not guessed at', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":"'),
      Buffer.from([0xfc]),
      Buffer.from('","method":"ping"}'),
    ]);
    expect((await w.post(bytes)).status).toBe(400);
  });

  test.each([
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
    [{ 'content-type': 'application/json-patch+json' }, 415],
    [{ 'content-type': 'application/json; charset=latin1' }, 415],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 415],
    [{ 'content-type': 'Application/JSON; charset="UTF-8"' }, 200],
    [{ 'content-type': 'application/json;charset=utf-8', 'content-encoding': 'identity' }, 200],
  ])('[HT32] %j is %d', async (headers, status) => {
    const answer = await w.post(rpc('ping'), headers);
    expect([answer.status, answer.json.error]).toEqual([status, status === 415 ? 'unsupported_media_type' : undefined]);
  });

  test('[HT33] a body up to the limit is served, over it is a JSON 413', async () => {
    const headers = { ...anonymous, ...as(AGENT) };
    expect((await post(headers, big(200 * 1024))).status).toBe(200);
    for (const body of [big(300 * 1024), streamed(big(300 * 1024))]) {
      const answer = await post(headers, body);
      expect([answer.status, answer.json]).toEqual([
        413,
        { error: 'payload_too_large', message: expect.any(String), max_bytes: 256 * 1024 },
      ]);
    }
    expect((await post(headers)).status).toBe(200);
  });

  test('[HT33] of a caller who is nobody little is read', async () => {
    for (const body of [big(100 * 1024), streamed(big(100 * 1024))]) {
      const answer = await post({ ...anonymous, ...as('wrong') }, body);
      expect([answer.status, answer.json.error]).toEqual([401, 'unauthorized']);
    }
    const unread = JSON.stringify({ jsonrpc: '1.0', fill: 'x'.repeat(100 * 1024), method: 'ping' });
    expect((await post({ ...anonymous, ...as('wrong') }, unread)).status).toBe(401);
  });

  test('[HT33] whoever sends 20 MB ahead of reading gets the answer to another Host or Origin, whole', async () => {
    const { host } = new URL(w.url);
    const refused = [
      [`Host: ${host}`, 'Origin: https://evil.example', 403, 'csrf-failed'],
      ['Host: evil.example', 'X-Other: 1', 421, 'host_not_allowed'],
    ] as const;
    for (const [name, other, status, error] of refused) {
      const answer = await sentWhole(w, [name, other], 20 * 1024 * 1024);
      const [head, body] = answer.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*connection: close`, 'i'));
      expect(JSON.parse(body!)).toMatchObject({ error });
    }
  });

  test('[HT33] but nobody can send for ever', async () => {
    await expect(sentWhole(w, ['Host: evil.example'], 200 * 1024 * 1024)).rejects.toThrow(/EPIPE|ECONNRESET/);
    expect((await w.post(rpc('ping'))).status).toBe(200);
  });

  test('[HT33] who announces too much is answered before sending it', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(w.url).port), '127.0.0.1');
      const lines = ['POST /mcp HTTP/1.1', `Host: ${new URL(w.url).host}`, `Authorization: Bearer ${AGENT}`];
      socket.write([...lines, 'Content-Type: application/json', 'Content-Length: 99999999', '', '{'].join('\r\n'));
      socket.once('data', chunk => {
        resolve(chunk.toString());
        socket.destroy();
      });
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*Connection: close/i);
  });

  test.each([
    'application/json',
    '*/*',
    'application/*',
    'text/event-stream',
    'application/json, text/event-stream',
    'text/html;q=0.9',
    '',
  ])('[HT34] Accept %j is answered with JSON', async accept => {
    const answer = await w.post(rpc('tools/call', { name: 'noted', _meta: { progressToken: 1 } }), { accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(answer.json.result.isError).toBe(false);
  });

  test('[HT34] a session of an earlier process is no obstacle', async () => {
    const session = { 'mcp-session-id': 'e6c1f2d0-dead' };
    for (const method of ['initialize', 'ping', 'tools/list']) {
      const answer = await w.post(rpc(method, {}), session);
      expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null]);
    }
  });

  const idOf = async (sent: string): Promise<string | null> =>
    (await w.post(rpc('ping'), { 'x-request-id': sent })).headers.get('x-request-id');

  test('[HT35] a request id is trimmed and kept when it is safe', async () => {
    expect(await idOf('  order-66:a/b.c=@+_  ')).toBe('order-66:a/b.c=@+_');
    expect(await idOf('x'.repeat(128))).toBe('x'.repeat(128));
    for (const unsafe of ['', '  ', 'x'.repeat(129), 'a b', 'a"b', 'ü'])
      expect(await idOf(unsafe)).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test('[HT35] blanks on the wire are no part of the id', async () => {
    const heard = await new Promise<string>(resolve => {
      const socket = connect(Number(new URL(w.url).port), '127.0.0.1');
      socket.write(
        `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: \t  mine \t \r\nConnection: close\r\n\r\n`,
      );
      let text = '';
      socket.on('data', chunk => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(heard).toMatch(/\r\nx-request-id: mine\r\n/i);
  });

  test('[HT35] every answer carries the id, refusals included', async () => {
    for (const path of ['/mcp', '/healthz', '/nowhere'])
      expect((await fetch(`${w.url}${path}`, { headers: { 'x-request-id': 'me' } })).headers.get('x-request-id')).toBe(
        'me',
      );
  });

  test('[HT38] whatever else is asked for is a JSON 404', async () => {
    for (const path of [
      '/',
      '/nowhere',
      '/mcp/',
      '/mcp/rules',
      '/.well-known/oauth-protected-resource/mcp',
      '/healthz/x',
    ])
      for (const method of ['GET', 'POST']) {
        const answer = await answerOf(await fetch(`${w.url}${path}`, { method }));
        expect([path, answer.status, answer.json.error]).toEqual([path, 404, 'not_found']);
      }
  });

  test('[HT38] a query after an endpoint is no other path', async () => {
    expect((await w.post(rpc('ping'), {}, '/mcp?x=1')).json.result).toEqual({});
  });
});

/** Sends a POST with a body of so many bytes, reads nothing before all is sent, and then all that comes. */
function sentWhole(w: World, headers: readonly string[], bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(w.url).port), '127.0.0.1');
    let heard = '';
    socket.pause();
    socket.write(['POST /mcp HTTP/1.1', ...headers, `Content-Length: ${bytes}`, '', ''].join('\r\n'));
    const chunk = Buffer.alloc(1024 * 1024, 32);
    const more = (left: number): void => {
      if (left > 0) socket.write(chunk, error => (error ? undefined : more(left - chunk.length)));
      else socket.resume();
    };
    more(bytes);
    socket.on('data', part => (heard += part.toString()));
    socket.on('end', () => socket.end());
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
  });
}
