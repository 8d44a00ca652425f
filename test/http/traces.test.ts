import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { world, type World } from '../world.ts';

interface Sent {
  readonly path: string | undefined;
  // oxlint-disable-next-line no-explicit-any -- exports are looked at as they come
  readonly body: any;
}

let collector: Server;
let sent: Sent[];
let status: number;
let w: World;
beforeEach(async () => {
  [sent, status] = [[], 200];
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    sent.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterEach(async () => {
  await w.end();
  collector.close();
  collector.closeAllConnections();
});

const address = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
const traced = async (endpoint = address()): Promise<World> => (w = await world({ CAIRN_OTLP_ENDPOINT: endpoint }));
const spans = () => sent.flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans);
const attribute = (span: { attributes: { key: string; value: { stringValue: string } }[] }, key: string) =>
  span.attributes.find(each => each.key === key)?.value.stringValue;

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
  expect(sent.map(({ path }) => path)).toEqual(['/v1/traces']);
  expect(spans().map((span: { name: string }) => span.name)).toEqual([
    'tools/call list_skills',
    'tools/call expand',
    'tools/call update_page',
  ]);
  const [listed, refused, rejected] = spans();
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
  expect(sent[0]!.body.resourceSpans[0].resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'cairn' },
  });
});

test('[HT56] a call goes on in the trace of its caller, unless that is not recorded, and holds nothing of what was said', async () => {
  await traced(`${address()}/otlp/`);
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  await call(`00-${trace}-${parent}-01`);
  await call(`00-${trace}-${parent}-00`);
  await call(`00-${'0'.repeat(32)}-${parent}-01`);
  await call('nonsense', 'other-id');
  await w.stop();
  expect(sent.map(({ path }) => path)).toEqual(['/otlp/v1/traces']);
  const [mine, ...fresh] = spans();
  expect(mine).toMatchObject({ traceId: trace, parentSpanId: parent });
  expect(attribute(mine, 'escurel.request_id')).toBe('my-id');
  expect(fresh).toHaveLength(2);
  for (const span of fresh) {
    expect(span.traceId).not.toBe(trace);
    expect(span).not.toHaveProperty('parentSpanId');
  }
  expect(JSON.stringify(sent)).not.toMatch(/private-argument|Bearer|eyJ/);
});

test('[HT57] a collector that refuses is named once, and calls and stop go on', async () => {
  await traced();
  status = 503;
  await w.admin.call('list_skills');
  await w.stop();
  expect(w.logged.filter(({ msg }) => msg === 'traces are not taken')).toHaveLength(1);
});

test('[HT57] so is one that is not there', async () => {
  const nowhere = address();
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
  expect(sent).toEqual([]);
});
