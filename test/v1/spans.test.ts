import { expect, onTestFinished, test } from 'vitest';
import { attributesOf, startCollector, type Collector } from '../support/collector.ts';
import { proposed } from '../rules/world.ts';
import { sessionCookie, world, type World } from './world.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, 'x-request-id': 'my-id' };

async function traced(): Promise<{ w: World; collector: Collector }> {
  const collector = await startCollector();
  onTestFinished(collector.close);
  const w = await world({
    fill: async rules => void (await proposed(rules)),
    altered: settings => ({
      ...settings,
      observability: { ...settings.observability, otlpEndpoint: collector.address },
    }),
  });
  return { w, collector };
}

test('[HT56, MR11, AP50] calls of one kind leave the same span, line and count on every way in', async () => {
  const { w, collector } = await traced();
  const anna = await w.tokenOf('anna');
  const search = { scopes: ['sales'], text: 'a private question' };
  await w.ask('POST', '/mcp', {
    token: anna,
    headers,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_rules', arguments: search } },
  });
  await w.ask('POST', '/v1/search', { token: anna, headers, body: search });
  await w.ask('GET', '/v1/rules/sales-0099', { token: anna, headers });
  const cookie = sessionCookie('anna@example.com', 4_000_000_000);
  const page = await w.ask('GET', '/approval?text=private', { headers: { ...headers, cookie } });
  expect(page.status).toBe(200);
  for (const path of ['/healthz', '/readyz', '/version', '/openapi.json']) await w.ask('GET', path, { headers });
  const { text: metrics } = await w.ask('GET', '/metrics', { headers });
  await w.end();

  const spans = collector.spans();
  const line = (name: string, who: string) => ({
    name,
    traceId: TRACE,
    parentSpanId: headers.traceparent.slice(36, 52),
    who,
  });
  expect(
    spans.map(span => ({
      name: span.name,
      traceId: span.traceId,
      parentSpanId: span.parentSpanId,
      who: attributesOf(span)['enduser.id'],
    })),
  ).toEqual([
    line('tools/call search_rules', 'anna'),
    line('search_rules', 'person:1'),
    line('read_rule', 'person:1'),
    line('inbox', 'person:1'),
  ]);
  const common = [
    'enduser.id',
    'escurel.request_id',
    'escurel.status',
    'escurel.tenant',
    'escurel.transport',
    'gen_ai.tool.name',
  ];
  expect(spans.map(span => Object.keys(attributesOf(span)).toSorted())).toEqual([
    [...common, 'mcp.method.name'],
    common,
    ['enduser.id', 'error.type', ...common.slice(1)],
    common,
  ]);
  expect(attributesOf(spans[2])).toMatchObject({ 'error.type': 'not-found', 'escurel.status': 'rejected' });

  const calls = w.logged.filter(({ msg }) => msg === 'tool.completed');
  expect(calls.map(({ tool, transport, subject }) => [tool, transport, subject])).toEqual([
    ['search_rules', 'mcp_http', 'anna'],
    ['search_rules', 'rest', 'person:1'],
    ['read_rule', 'rest', 'person:1'],
    ['inbox', 'approval', 'person:1'],
  ]);
  const [overMcp, ...others] = calls.map(call => Object.keys(call).filter(key => key !== 'code'));
  for (const keys of others) expect(keys).toEqual(overMcp);
  for (const [transport, tool] of [
    ['mcp_http', 'search_rules'],
    ['rest', 'search_rules'],
    ['approval', 'inbox'],
  ])
    expect(metrics).toContain(
      `escurel_tool_calls{tenant="default",tool="${tool}",transport="${transport}",status="ok"} 1`,
    );
  expect(JSON.stringify(collector.sent)).not.toMatch(/private|Bearer|eyJ|gn_session/);
  expect(JSON.stringify(w.logged)).not.toMatch(/private|Bearer|eyJ|gn_session/);
});
