import { expect, onTestFinished, test } from 'vitest';
import { outgoingFetch } from '../../src/app/outgoing.ts';
import { startProxy, type ForwardProxy } from './forward-proxy.ts';

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

test('[ST55] through the tunnel goes TLS to the host that was asked for', async () => {
  let heard: Buffer = Buffer.alloc(0);
  const { port, asked, close } = await startProxy(
    () => {},
    bytes => (heard = bytes),
  );
  onTestFinished(close);
  const send = await outgoingFetch({ http: null, https: `http://127.0.0.1:${port}`, direct });
  await expect(send('https://issuer.example/keys')).rejects.toThrow(TypeError);
  expect(asked).toEqual([{ line: 'CONNECT issuer.example:443', credentials: undefined }]);
  const [record, , , , , message] = heard;
  expect([record, message, heard.includes('issuer.example'), heard.includes('/keys')]).toEqual([22, 1, true, false]);
});

test.each(['127.0.0.1', '127.1', 'localhost', '[::1]', 'models.localhost'])(
  '[ST55] %s is this machine: a proxy elsewhere is not asked, one here is',
  async host => {
    const used = await proxy();
    const target = `${host}:${used.port}/`;
    // An address of this machine that is not loopback stands for one elsewhere.
    const elsewhere = `http://0.0.0.0:${used.port}`;
    const far = await outgoingFetch({ http: elsewhere, https: elsewhere, direct });
    // Asked directly it answers as a server that is asked for a path, or nobody listens there.
    for (const scheme of ['http', 'https']) await far(`${scheme}://${target}`).catch(() => {});
    expect(used.asked.filter(({ line }) => line !== 'GET /')).toEqual([]);
    const here = `http://127.0.0.1:${used.port}`;
    const near = await outgoingFetch({ http: here, https: here, direct });
    await near(`http://${target}`);
    expect(used.asked.at(-1)?.line).toBe(`GET ${new URL(`http://${target}`).href}`);
  },
);

test('[ST55] a proxy serves its own scheme only, and not the hosts named', async () => {
  const used = await proxy();
  const answering = await proxy();
  // This machine by an address that is not loopback.
  const url = `http://0.0.0.0:${answering.port}/here`;
  const ofHttps = await outgoingFetch({ http: null, https: `http://127.0.0.1:${used.port}`, direct });
  await ofHttps(url);
  const ofHttp = await outgoingFetch({ http: `http://127.0.0.1:${used.port}`, https: null, direct });
  await ofHttp(`https://0.0.0.0:${answering.port}/`).catch(() => {});
  const named = await outgoingFetch({
    http: `http://127.0.0.1:${used.port}`,
    https: null,
    direct: 'example,0.0.0.0',
  });
  await named(url);
  expect(used.asked).toEqual([]);
  expect(answering.asked.map(({ line }) => line)).toEqual(['GET /here', 'GET /here']);
});
