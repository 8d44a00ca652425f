import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rpc, stateless, world, type World } from './world.ts';

const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'notifications/x', '', 'x'];
const TOOLS = ['echo', 'write', 'put', 'fail', 'secret_admin', 'nope', ''];
const METAS = [stateless('tools/list').body.params['_meta'], {}, null, 5];
const KEYS = ['text', 'count', 'flag', 'tags', 'filter', 'nested', 'maybe', 'any', 'words', '__proto__'];

const json = fc.jsonValue({ maxDepth: 4 });
const mostly = <T>(values: readonly T[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: json });
const maybe = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.option(arbitrary, { nil: undefined });
const params = fc.oneof(
  json,
  fc.record({
    name: maybe(mostly(TOOLS)),
    arguments: maybe(fc.oneof(json, fc.dictionary(fc.constantFrom(...KEYS), json))),
    protocolVersion: maybe(mostly(['2025-06-18', '2026-07-28', 'x'])),
    cursor: maybe(json),
    _meta: maybe(mostly(METAS)),
  }),
);
const message = fc.oneof(
  json,
  fc.record({
    jsonrpc: mostly(['2.0']),
    id: maybe(mostly([1, 'a'])),
    method: maybe(mostly(METHODS)),
    params: maybe(params),
  }),
);
const body = fc.oneof(
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 6, arbitrary: message.map(value => JSON.stringify(value) ?? 'null') },
  { weight: 2, arbitrary: fc.array(message, { maxLength: 5 }).map(values => JSON.stringify(values)) },
  {
    weight: 1,
    arbitrary: fc.tuple(message, fc.nat(60)).map(([value, cut]) => JSON.stringify(value ?? null).slice(0, cut)),
  },
);
const headers = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2025-03-26', '2025-11-25', '2026-07-28', '2020-01-01', ''),
    'mcp-method': fc.constantFrom(...METHODS),
    'mcp-name': fc.constantFrom(...TOOLS, '=?base64?!?='),
    accept: fc.constantFrom('*/*', 'text/event-stream', 'x'),
    'mcp-session-id': fc.constantFrom('x', ''),
  },
  { requiredKeys: [] },
);

describe('any bytes', () => {
  let w: World;
  beforeAll(async () => void (w = await world()));
  afterAll(() => w.stop(0));

  test('[HT52] get an answer of a known form, and none is a fault but the one asked for', async () => {
    await fc.assert(
      fc.asyncProperty(body, headers, async (sent, extra) => {
        const { status, text, json: answer } = await w.post(sent, extra as Record<string, string>);
        expect([200, 202, 400, 404]).toContain(status);
        expect(status === 202 && text !== '').toBe(false);
        for (const each of answer === undefined ? [] : [answer].flat()) {
          expect(each.jsonrpc).toBe('2.0');
          expect('result' in each).not.toBe('error' in each);
          expect('id' in each).toBe(true);
        }
      }),
      { numRuns: 1500 },
    );
    const faults = w.logs.filter(line => line['level'] === 'error' && line['tool'] !== 'fail');
    expect(faults).toEqual([]);
    expect((await w.post(rpc('ping'))).json.result).toEqual({});
  });

  test('[HT52] nesting beyond reason is answered', async () => {
    const deep = (open: string, close: string): string => open.repeat(200_000) + close.repeat(200_000);
    for (const value of [deep('[', ']'), deep('{"a":', '}').replace('{"a":}', '{}')]) {
      const texts = [
        value,
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":${value}}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x","any":${value}}}}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${value}}}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x","filter":${value}}}}`,
      ];
      for (const text of texts) expect([200, 400]).toContain((await w.post(text)).status);
    }
    expect((await w.post(rpc('ping'))).json.result).toEqual({});
  });
});
