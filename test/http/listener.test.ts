import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { HttpOptions } from '../../src/http/index.ts';
import { Failure } from '../../src/kernel/failure.ts';
import { AGENT, rpc, world, type World } from './world.ts';

const fast = { headersMs: 200, requestMs: 400, keepAliveMs: 5000, stalledMs: 200, maxHeaderBytes: 4096 };

/** The text of one request by hand; `Content-Length` and body are the caller's. */
const head = (w: World, ...lines: string[]): string =>
  [
    'POST /mcp HTTP/1.1',
    `Host: ${new URL(w.url).host}`,
    `Authorization: Bearer ${AGENT}`,
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');
const whole = (w: World, body: object): string => {
  const text = JSON.stringify(body);
  return head(w, `Content-Length: ${text.length}`) + text;
};

/** Sends bytes and gives all that came back when the server closed the connection. */
const untilClosed = (w: World, ...bytes: (string | Buffer)[]): Promise<string> =>
  new Promise(resolve => {
    const socket = dial(w);
    let heard = '';
    socket.on('data', chunk => (heard += chunk.toString()));
    socket.on('close', () => resolve(heard));
    for (const each of bytes) socket.write(each);
  });

const dial = (w: World): Socket => {
  const socket = connect(Number(new URL(w.url).port), '127.0.0.1');
  socket.on('error', () => {});
  return socket;
};

describe('connections', () => {
  const running: World[] = [];
  const started = async (options: Partial<HttpOptions> = {}): Promise<World> => {
    const w = await world(options);
    running.push(w);
    return w;
  };
  afterEach(async () => void (await Promise.all(running.splice(0).map(w => w.stop(0)))));

  test('[HT49] a stop lets calls finish and takes no new connection', async () => {
    const w = await started();
    const underWay = w.call('wait');
    await until(() => w.left.queries < 1e6);
    const stopped = w.stop(60_000);
    await expect(fetch(`${w.url}/healthz`)).rejects.toThrow(/fetch failed/);
    w.release();
    const { json, headers } = await underWay;
    expect([json.result.structuredContent, headers.get('connection')]).toEqual([{ done: true }, 'close']);
    await stopped;
  });

  test('[HT49] idle connections do not hold a stop up', async () => {
    const w = await started();
    const socket = dial(w);
    const closed = new Promise(resolve => socket.on('close', resolve));
    socket.write(whole(w, rpc('ping')));
    await new Promise(resolve => socket.once('data', resolve));
    await w.stop(60_000);
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  test('[HT49] what is left after the grace is cut, and a second stop is the first', async () => {
    const w = await started();
    const underWay = w.call('wait').then(
      () => 'answered',
      () => 'cut',
    );
    await until(() => w.left.queries < 1e6);
    await Promise.all([w.stop(20), w.stop(60_000)]);
    expect(await underWay).toBe('cut');
  });

  test.each([
    ['never ends its headers', (w: World) => `POST /mcp HTTP/1.1\r\nHost: ${new URL(w.url).host}\r\nX-Slow: `, 408],
    ['never ends its body', (w: World) => `${head(w, 'Content-Length: 100')}{"jsonrpc"`, 408],
    ['has headers without end', (w: World) => head(w, `X-Long: ${'x'.repeat(8000)}`), 431],
    ['speaks no HTTP', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['has a broken chunk', (w: World) => `${head(w, 'Transfer-Encoding: chunked')}zz\r\n`, 400],
    ['says its length twice', (w: World) => head(w, 'Content-Length: 5', 'Content-Length: 6'), 400],
    ['names no host', () => 'GET /healthz HTTP/1.1\r\n\r\n', 400],
  ])('[HT50] a peer that %s is told and let go', async (_how, bytes, status) => {
    const w = await started({ limits: fast });
    expect(await untilClosed(w, bytes(w))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect((await w.post(rpc('ping'))).status).toBe(200);
  });

  test('[HT50] a peer that leaves in the middle of its body is forgotten', async () => {
    const w = await started();
    const socket = dial(w);
    await new Promise(resolve => socket.write(`${head(w, 'Content-Length: 100')}{"jsonrpc"`, resolve));
    socket.destroy();
    await until(() => w.logs.some(line => line['code'] === 'invalid_request'));
    expect((await w.post(rpc('ping'))).status).toBe(200);
  });

  test('[HT50] a peer that leaves while it is looked up is forgotten', async () => {
    let asked = false;
    let answer!: () => void;
    const looked = new Promise<void>(resolve => (answer = resolve));
    const w = await started({
      verifier: {
        async verify() {
          asked = true;
          await looked;
          throw new Failure('unauthorized', 'nobody');
        },
      },
    });
    const socket = dial(w);
    await new Promise(resolve => socket.write(`${head(w, 'Content-Length: 100')}{"jsonrpc"`, resolve));
    await until(() => asked);
    socket.destroy();
    await new Promise(resolve => setTimeout(resolve, 50));
    answer();
    await until(() => w.logs.some(line => line['code'] === 'invalid_request'));
    expect((await w.post(rpc('ping'))).status).toBe(401);
  });

  test('[HT50] a peer that does not take its answer is let go', async () => {
    const w = await started({ limits: fast });
    const socket = dial(w);
    socket.pause();
    const closed = new Promise(resolve => socket.on('close', resolve));
    socket.write(whole(w, rpc('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(20_000_000) } })));
    await until(() => w.logs.some(line => line['msg'] === 'tool.completed'));
    await new Promise(resolve => setTimeout(resolve, 1500));
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(20_000_000);
  });

  test('[HT50] a long call is no stalled peer', async () => {
    const w = await started({ limits: fast });
    const underWay = w.call('wait');
    await until(() => w.left.queries < 1e6);
    await new Promise(resolve => setTimeout(resolve, 1000));
    w.release();
    expect((await underWay).json.result.structuredContent).toEqual({ done: true });
  });

  test('[HT50] requests sent ahead are answered in order', async () => {
    const w = await started();
    const closing = whole(w, rpc('ping', {}, 'c')).replace('\r\n', '\r\nConnection: close\r\n');
    const heard = await untilClosed(w, whole(w, rpc('ping', {}, 'a')) + whole(w, rpc('ping', {}, 'b')) + closing);
    expect([...heard.matchAll(/"id":"(.)"/g)].map(match => match[1])).toEqual(['a', 'b', 'c']);
  });

  test('[HT51] a caller who goes away aborts the signal of the op', async () => {
    const w = await started();
    const socket = dial(w);
    socket.write(whole(w, rpc('tools/call', { name: 'wait' })));
    await until(() => w.left.queries < 1e6);
    socket.destroy();
    await until(() => w.seen.aborted === 1);
    w.release();
    expect((await w.post(rpc('ping'))).status).toBe(200);
  });

  test('[HT53] a taken address makes the start fail, and nothing keeps listening', async () => {
    const other = createServer();
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const taken = { host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
    await expect(world({ listen: taken })).rejects.toThrow(/EADDRINUSE/);
    const main = await started();
    const { port } = main.address;
    await main.stop(0);
    await expect(world({ listen: { host: '127.0.0.1', port }, metricsListen: taken })).rejects.toThrow(/EADDRINUSE/);
    await started({ listen: { host: '127.0.0.1', port } });
    other.close();
  });
});

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise(resolve => setTimeout(resolve, 5));
}
