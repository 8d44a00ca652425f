import { afterEach, describe, expect, test } from 'vitest';
import type { HttpOptions } from '../../src/http/index.ts';
import { ADMIN, answerOf, as, rpc, world, type Answer, type World } from './world.ts';

describe('plain routes', () => {
  const running: World[] = [];
  const started = async (options: Partial<HttpOptions> = {}): Promise<World> => {
    const w = await world(options);
    running.push(w);
    return w;
  };
  const get = async (w: World, path: string): Promise<Answer> => answerOf(await fetch(`${w.url}${path}`));
  afterEach(async () => void (await Promise.all(running.splice(0).map(w => w.stop(0)))));

  test('[HT44] the OpenAPI document names the routes that exist and every tool', async () => {
    const w = await started();
    const { status, headers, json } = await get(w, '/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(json).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'escurel agent surface', version: '0.0.0-dev' },
      components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    });
    for (const [path, item] of Object.entries(json.paths as Record<string, object>))
      for (const method of Object.keys(item)) {
        const found = await fetch(`${w.url}${path}`, { method: method.toUpperCase() });
        expect([path, found.status]).not.toEqual([path, 404]);
      }
    expect(Object.keys(json.paths)).toEqual([
      '/mcp',
      '/mcp/pages',
      '/openapi.json',
      '/healthz',
      '/readyz',
      '/version',
      '/metrics',
    ]);
    const listed = (await w.post(rpc('tools/list'), as(ADMIN))).json.result.tools;
    expect(json.components.schemas.tool_name.enum).toEqual(listed.map((tool: { name: string }) => tool.name));
    for (const tool of listed) expect(json.components.schemas[`${tool.name}_input`]).toMatchObject(tool.inputSchema);
  });

  test('[HT45] health, readiness and version are plain text', async () => {
    const w = await started();
    for (const [path, text] of [
      ['/healthz', 'OK'],
      ['/readyz', 'OK'],
      ['/version', '0.0.0-dev'],
    ] as const) {
      const answer = await get(w, path);
      expect([answer.status, answer.text]).toEqual([200, text]);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    }
    expect((await fetch(`${w.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });

  test('[HT45] E695 readiness names what is down', async () => {
    const up = (): boolean => true;
    const w = await started({
      probes: {
        lane_store: up,
        indexer: () => false,
        embedder: async () => {
          throw new Error('gone');
        },
        index_snapshot: () => new Promise(() => {}),
      },
    });
    const { status, json } = await get(w, '/readyz');
    expect([status, json]).toEqual([
      503,
      {
        ready: false,
        components: { lane_store: true, indexer: false, embedder: false, index_snapshot: false },
      },
    ]);
    expect((await get(w, '/healthz')).text).toBe('OK');
  });

  test('[HT46] metrics are on the main port', async () => {
    const { status, headers, text } = await get(await started(), '/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4']);
    expect(text).toMatch(/^escurel_up 1$/m);
  });

  test('[HT46] metrics with a listener of their own are only there', async () => {
    const w = await started({ metricsListen: { host: '127.0.0.1', port: 0 } });
    expect((await get(w, '/metrics')).status).toBe(404);
    expect(Object.keys((await get(w, '/openapi.json')).json.paths)).not.toContain('/metrics');
    await w.call('noted');
    const apart = `http://127.0.0.1:${w.metricsAddress?.port}`;
    expect(await (await fetch(`${apart}/metrics`)).text()).toMatch(/^escurel_tool_calls{.*} 1$/m);
    for (const path of ['/mcp', '/healthz'])
      expect((await fetch(`${apart}${path}`, { method: 'POST' })).status).toBe(404);
    await w.stop(0);
    await expect(fetch(`${apart}/metrics`)).rejects.toThrow(/fetch failed/);
  });

  test('[HT46] metrics can be off', async () => {
    const w = await started({ metricsListen: 'off' });
    expect([(await get(w, '/metrics')).status, w.metricsAddress]).toEqual([404, undefined]);
  });

  test('[HT47] calls are counted by tool and status, refusals at the gate are not', async () => {
    const w = await started();
    await w.call('put', { ok: true });
    await w.call('write', { ok: false });
    await w.call('fail');
    await w.call('secret_admin');
    await w.call('never_heard_of');
    w.left.queries = 0;
    await w.call('noted');
    w.tenant.status = 'suspended';
    w.left.queries = 9;
    await w.call('noted');
    const text = (await get(w, '/metrics')).text;
    const line = (tool: string, status: string): string =>
      `escurel_tool_calls{tenant="acme",tool="${tool}",transport="mcp_http",status="${status}"} 1`;
    expect(text.split('\n').filter(each => each.startsWith('escurel_tool_calls{'))).toEqual([
      line('write', 'ok'),
      line('write', 'rejected'),
      line('fail', 'error'),
      line('secret_admin', 'error'),
      line('never_heard_of', 'error'),
    ]);
    expect(text).toContain('escurel_tool_latency_ms_count{tenant="acme",tool="write",transport="mcp_http"} 2');
    const bounds = [...text.matchAll(/escurel_tool_latency_ms_bucket{le="([^"]+)",.*tool="write"/g)].map(
      each => each[1],
    );
    expect(bounds).toEqual(['1', '2.5', '5', '10', '25', '50', '100', '250', '500', '1000', '2500', '+Inf']);
  });

  test('[HT47] requests are counted by route; MCP counts as 200 whatever it answered', async () => {
    const w = await started();
    await w.post(rpc('ping'));
    await w.post(rpc('ping'), as('wrong'));
    await get(w, '/healthz');
    await get(w, '/nowhere');
    await get(w, '/nowhere/else');
    const { text } = await get(w, '/metrics');
    expect(text).toContain('escurel_requests_total{route="/mcp",status="200"} 2');
    expect(text).toContain('escurel_requests_total{route="/healthz",status="200"} 1');
    expect(text).toContain('escurel_requests_total{route="none",status="404"} 2');
    expect(text).toContain('escurel_request_latency_seconds_count{route="/mcp"} 2');
  });

  test('[HT47] names that nobody knows share a label after a while', async () => {
    const w = await started();
    for (let index = 0; index < 80; index += 1) await w.call(`guess_${index}`);
    await w.call('x'.repeat(500));
    const { text } = await get(w, '/metrics');
    expect(text.match(/^escurel_tool_calls{/gm)).toHaveLength(51);
    expect(text).toContain('tool="unknown",transport="mcp_http",status="error"} 31');
  });
});
