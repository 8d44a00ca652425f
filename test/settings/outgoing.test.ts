import { expect, onTestFinished, test } from 'vitest';
import { outgoingFetch } from '../../src/app/outgoing.ts';
import { startProxy, startSocks, type ForwardProxy } from './forward-proxy.ts';

async function proxy(): Promise<ForwardProxy> {
  const started = await startProxy();
  onTestFinished(started.close);
  return started;
}
const direct = '';

test('[ST55] without a proxy the fetch of the platform is used', async () => {
  expect(await outgoingFetch({ http: null, https: null, direct })).toBe(globalThis.fetch);
});

test('[ST55] http requests are handed to the proxy whole, with its credentials', async () => {
  const { port, asked } = await proxy();
  const send = await outgoingFetch({ http: `http://ada:geheim@127.0.0.1:${port}`, https: null, direct });
  const answer = await send('http://vectors.example/v1/embeddings', { method: 'POST', body: '{}' });
  expect(await answer.json()).toEqual({ by: 'proxy' });
  expect(asked).toEqual([
    {
      line: 'POST http://vectors.example/v1/embeddings',
      credentials: `Basic ${Buffer.from('ada:geheim').toString('base64')}`,
    },
  ]);
});

test('[ST55] https requests go through a tunnel, and a refused one names no password', async () => {
  const { port, asked } = await proxy();
  const send = await outgoingFetch({ http: null, https: `http://ada:geheim@127.0.0.1:${port}`, direct });
  const failed = await send('https://issuer.example/keys').then(
    () => undefined,
    (cause: unknown) => cause as Error,
  );
  expect(asked.map(({ line }) => line)).toEqual(['CONNECT issuer.example:443']);
  expect(failed).toBeInstanceOf(TypeError);
  expect(`${failed} ${String(failed?.cause)} ${JSON.stringify(failed)}`).not.toContain('geheim');
});

test('[ST55] a proxy serves its own scheme only, and not the hosts named', async () => {
  const used = await proxy();
  const answering = await proxy();
  const url = `http://127.0.0.1:${answering.port}/here`;
  const ofHttps = await outgoingFetch({ http: null, https: `http://127.0.0.1:${used.port}`, direct });
  await ofHttps(url);
  const ofHttp = await outgoingFetch({ http: `http://127.0.0.1:${used.port}`, https: null, direct });
  await ofHttp('https://127.0.0.1:1/').catch(() => {});
  const named = await outgoingFetch({
    http: `http://127.0.0.1:${used.port}`,
    https: null,
    direct: 'example,127.0.0.1',
  });
  await named(url);
  expect(used.asked).toEqual([]);
  expect(answering.asked.map(({ line }) => line)).toEqual(['GET /here', 'GET /here']);
});

test('[ST55] a SOCKS proxy finds the host itself', async () => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nsocks';
  const socks = await startSocks(socket => void socket.once('data', () => socket.end(answer)));
  onTestFinished(socks.close);
  const send = await outgoingFetch({ http: `socks5://127.0.0.1:${socks.port}`, https: null, direct });
  expect(await (await send('http://far.example/')).text()).toBe('socks');
  expect(socks.hosts).toEqual(['far.example']);
});
