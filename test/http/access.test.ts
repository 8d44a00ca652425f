import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAccess } from '../../src/http/access.ts';
import { AGENT, rpc, world, type World } from './world.ts';

interface Heard {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

describe('Host and Origin', () => {
  let w: World;
  beforeAll(async () => {
    w = await world({
      access: {
        publicUrl: 'https://Cairn.example.com/start',
        allowedHosts: ['cairn.lan', 'only.lan:9000'],
        allowedOrigins: ['https://app.example.com', 'http://tools.lan:3000/'],
      },
    });
  });
  afterAll(() => w.stop(0));

  /** fetch sets Host by itself, so requests go out by hand. */
  const ask = (headers: Record<string, string>, method = 'POST', path = '/mcp'): Promise<Heard> =>
    new Promise((resolve, reject) => {
      const sent = { authorization: `Bearer ${AGENT}`, 'content-type': 'application/json', ...headers };
      const outgoing = request(`${w.url}${path}`, { method, headers: sent }, incoming => {
        let text = '';
        incoming.on('data', chunk => (text += chunk));
        incoming.on('end', () => resolve({ status: incoming.statusCode, headers: incoming.headers, text }));
      });
      outgoing.on('error', reject).end(method === 'POST' ? JSON.stringify(rpc('ping')) : undefined);
    });

  test.each([
    'localhost',
    'LOCALHOST:8080',
    '127.0.0.1:1',
    '127.9.9.9',
    '[::1]:8080',
    'cairn.example.com',
    'cairn.lan',
    'cairn.lan:1234',
    'only.lan:9000',
  ])('[HT36] the Host %s is served', async host => {
    expect((await ask({ host })).status).toBe(200);
  });

  test.each([
    'evil.example.com',
    'localhost.evil.com',
    '127.0.0.1.evil.com',
    'only.lan',
    'only.lan:9001',
    'xcairn.lan',
    '10.0.0.1',
    'localhost:8080:1',
    'user@localhost',
    '[::2]',
  ])('[HT36] the Host %s is refused on every route', async host => {
    for (const [path, method] of [
      ['/mcp', 'POST'],
      ['/mcp/pages', 'GET'],
      ['/healthz', 'GET'],
      ['/openapi.json', 'GET'],
      ['/nowhere', 'GET'],
    ] as const) {
      const { status, text } = await ask({ host }, method, path);
      expect([status, JSON.parse(text).error]).toEqual([421, 'host_not_allowed']);
    }
  });

  test.each([
    ['https://app.example.com', '127.0.0.1'],
    ['http://tools.lan:3000', '127.0.0.1'],
    ['https://cairn.example.com', 'cairn.example.com'],
    ['http://localhost:5173', 'localhost:8080'],
    ['http://[::1]:5173', '127.0.0.1:8080'],
    ['http://cairn.lan:8080', 'cairn.lan:8080'],
  ])('[HT36] a page of %s may call %s', async (origin, host) => {
    const { status, headers } = await ask({ origin, host });
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe(origin);
  });

  test.each([
    ['null', '127.0.0.1'],
    ['https://evil.example.com', '127.0.0.1'],
    ['https://app.example.com.evil.com', '127.0.0.1'],
    ['http://app.example.com', '127.0.0.1'],
    ['http://localhost:5173', 'cairn.example.com'],
    ['http://cairn.lan:8081', 'cairn.lan:8080'],
    ['http://localhost@evil.com', '127.0.0.1'],
    ['file://', '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('[HT36] a page of %s may not call %s', async (origin, host) => {
    const codes = { '/mcp': 'csrf-failed', '/mcp/pages': 'origin_not_allowed', '/healthz': 'origin_not_allowed' };
    for (const [path, code] of Object.entries(codes)) {
      const { status, headers, text } = await ask({ origin, host }, 'POST', path);
      expect([status, JSON.parse(text).error]).toEqual([403, code]);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('[HT36] a target that is no path is refused', async () => {
    const status = await new Promise(resolve => {
      const { hostname, port } = new URL(w.url);
      request({ hostname, port, path: 'http://evil.example.com/mcp', method: 'GET' }, incoming => {
        incoming.resume();
        resolve(incoming.statusCode);
      }).end();
    });
    expect(status).toBe(400);
  });

  test('[HT36] the address that was connected to is a name of the server', () => {
    const check = checkAccess({});
    const from = (localAddress: string, host: string) =>
      check({ headers: { host }, socket: { localAddress } } as unknown as IncomingMessage);
    expect(from('192.168.1.5', '192.168.1.5:9090')).toBeUndefined();
    expect(from('::ffff:192.168.1.5', '192.168.1.5')).toBeUndefined();
    expect(from('fe80::1', '[fe80::1]:80')).toBeUndefined();
    expect(() => from('192.168.1.5', '192.168.1.6:9090')).toThrow(/Host/);
    expect(() => from('192.168.1.5', '')).toThrow(/Host/);
  });

  test('[HT37] a preflight of an allowed Origin needs no token', async () => {
    const preflight = { origin: 'https://app.example.com', 'access-control-request-method': 'POST', authorization: '' };
    const { status, headers, text } = await ask(preflight, 'OPTIONS');
    expect([status, text]).toEqual([204, '']);
    expect(headers['access-control-allow-origin']).toBe('https://app.example.com');
    expect(headers['access-control-allow-methods']).toContain('POST');
    for (const header of ['Authorization', 'Content-Type', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
      expect(headers['access-control-allow-headers']).toContain(header);
    expect((await ask({ ...preflight, origin: 'https://evil.example.com' }, 'OPTIONS')).status).toBe(403);
  });

  test('[HT37] an answer may be read by the page that asked, on every route', async () => {
    for (const [path, method] of [
      ['/mcp', 'POST'],
      ['/version', 'GET'],
    ] as const) {
      const { headers } = await ask({ origin: 'https://app.example.com' }, method, path);
      expect(headers['access-control-allow-origin']).toBe('https://app.example.com');
      expect(headers['access-control-expose-headers']).toContain('X-Request-Id');
      expect(headers['vary']).toContain('Origin');
    }
    expect((await ask({})).headers['access-control-allow-origin']).toBeUndefined();
  });

  test('[HT36] names that are no URL make the start fail', async () => {
    await expect(world({ access: { publicUrl: 'cairn' } })).rejects.toThrow(/URL/);
    await expect(world({ access: { allowedOrigins: ['app'] } })).rejects.toThrow(/URL/);
  });
});
