import { afterEach, beforeEach, expect, test } from 'vitest';
import { attributesOf, startCollector, type Collector, type Span } from '../support/collector.ts';
import { world, type World } from '../world.ts';

let collector: Collector;
let w: World;
beforeEach(async () => void (collector = await startCollector()));
afterEach(async () => {
  await w.end();
  collector.close();
});

const traced = async (endpoint = collector.address): Promise<World> =>
  (w = await world({ CAIRN_OTLP_ENDPOINT: endpoint }));
const attribute = (span: Span, key: string): string | undefined => attributesOf(span)[key];

async function call(traceparent: string, requestId = 'my-id'): Promise<void> {
  const token = await w.issuer.token({ sub: 'ann' });
  const params = { name: 'expand', arguments: { page_id: 'private-argument.md' } };
  const answer = await fetch(`${w.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      traceparent,
      'x-request-id': requestId,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  await answer.text();
}

test('[HT56] N075 each call is a span with who, what, how it ended and how long it took', async () => {
  await traced();
  await w.admin.call('list_skills');
  await w.admin.fails('expand', { page_id: '/no' });
  await w.admin.ask('update_page', { page_id: 'a.md', content: 'no header' });
  await w.stop();
  expect(collector.sent.map(({ path }) => path)).toEqual(['/v1/traces']);
  expect(collector.spans().map(({ name }) => name)).toEqual([
    'tools/call list_skills',
    'tools/call expand',
    'tools/call update_page',
  ]);
  const [listed, refused, rejected] = collector.spans();
  expect(listed).toMatchObject({
    kind: 2,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(listed).not.toHaveProperty('status');
  expect(BigInt(listed.endTimeUnixNano) >= BigInt(listed.startTimeUnixNano)).toBe(true);
  expect(Math.abs(Number(BigInt(listed.startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(3_600_000);
  expect([
    attribute(listed, 'gen_ai.tool.name'),
    attribute(listed, 'enduser.id'),
    attribute(listed, 'escurel.tenant'),
  ]).toEqual(['list_skills', 'root', 'default']);
  expect(refused.status).toEqual({ code: 2, message: 'invalid_params' });
  expect([attribute(refused, 'error.type'), attribute(refused, 'escurel.status')]).toEqual(['invalid_params', 'error']);
  expect(attribute(rejected, 'escurel.status')).toBe('rejected');
  expect(collector.sent[0]!.body.resourceSpans[0].resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'cairn' },
  });
});

test('[HT56] a call goes on in the trace of its caller, unless that is not recorded, and holds nothing of what was said', async () => {
  await traced(`${collector.address}/otlp/`);
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  await call(`00-${trace}-${parent}-01`);
  await call(`00-${trace}-${parent}-00`);
  await call(`00-${'0'.repeat(32)}-${parent}-01`);
  await call('nonsense', 'other-id');
  await w.stop();
  expect(collector.sent.map(({ path }) => path)).toEqual(['/otlp/v1/traces']);
  const [mine, ...fresh] = collector.spans();
  expect(mine).toMatchObject({ traceId: trace, parentSpanId: parent });
  expect(attribute(mine, 'escurel.request_id')).toBe('my-id');
  expect(fresh).toHaveLength(2);
  for (const span of fresh) {
    expect(span.traceId).not.toBe(trace);
    expect(span).not.toHaveProperty('parentSpanId');
  }
  expect(JSON.stringify(collector.sent)).not.toMatch(/private-argument|Bearer|eyJ/);
});

test('[HT57] a collector that refuses is named once, and calls and stop go on', async () => {
  await traced();
  collector.answer.status = 503;
  await w.admin.call('list_skills');
  await w.stop();
  expect(w.logged.filter(({ msg }) => msg === 'traces are not taken')).toHaveLength(1);
});

test('[HT57] so is one that is not there', async () => {
  const nowhere = collector.address;
  collector.close();
  await traced(nowhere);
  await w.admin.call('list_skills');
  await w.stop();
  expect(w.logged.filter(({ msg }) => msg === 'traces are not taken')).toHaveLength(1);
});

test('[HT56] without a collector nothing is sent', async () => {
  w = await world();
  await w.admin.call('list_skills');
  await w.stop();
  expect(collector.sent).toEqual([]);
});
