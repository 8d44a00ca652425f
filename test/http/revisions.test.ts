import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rpc, stateless, world, type Answer, type World } from './world.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const SERVER = { 'io.modelcontextprotocol/serverInfo': { name: 'cairn', version: '1.2.3' } };

describe('revisions', () => {
  let w: World;
  beforeAll(async () => void (w = await world()));
  afterAll(() => w.stop(0));

  const ask = (method: string, params = {}, changed: Record<string, string | undefined> = {}): Promise<Answer> => {
    const { body, headers } = stateless(method, params);
    const sent = Object.entries({ ...headers, ...changed }).filter(([, value]) => value !== undefined);
    return w.post(body, Object.fromEntries(sent) as Record<string, string>);
  };
  const withMeta = (meta: unknown, headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28' }) =>
    w.post(rpc('server/discover', { _meta: meta }, 'm'), { 'mcp-method': 'server/discover', ...headers });

  test('[HT39] discover lists revisions and capabilities', async () => {
    const { status, json } = await ask('server/discover');
    expect(status).toBe(200);
    expect(json.result).toEqual({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: false } },
      ttlMs: 0,
      cacheScope: 'private',
      resultType: 'complete',
      _meta: SERVER,
    });
  });

  test('[HT39] every result says that it is complete and who answers', async () => {
    const list = (await ask('tools/list')).json.result;
    expect(list).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: SERVER });
    const call = (await ask('tools/call', { name: 'echo', arguments: { text: 'x' } })).json.result;
    expect(call).toMatchObject({ resultType: 'complete', isError: false, _meta: SERVER });
    expect(call.ttlMs).toBeUndefined();
    const noted = (await ask('tools/call', { name: 'noted' })).json.result;
    expect(noted['_meta']).toEqual({ ...SERVER, clamped: { k: 200 } });
  });

  test('[HT39] refusals beyond the framing travel under 200', async () => {
    for (const [params, code] of [
      [{ name: 'echo' }, -32602],
      [{ name: 'nope' }, -32601],
      [{ name: 'secret_admin' }, -32001],
      [{ name: 'fail' }, -32603],
    ] as const) {
      const { status, json } = await ask('tools/call', params);
      expect([status, json.error.code]).toEqual([200, code]);
    }
  });

  test('[HT39] a notification is taken', async () => {
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await w.post(body, { 'mcp-protocol-version': '2026-07-28' })).status).toBe(202);
  });

  test.each([
    [undefined, ['_meta']],
    [{}, [VERSION, CAPABILITIES]],
    [{ [CAPABILITIES]: {} }, [VERSION]],
    [{ [VERSION]: '2026-07-28' }, [CAPABILITIES]],
  ])('[HT40] _meta %j lacks %j', async (meta, missing) => {
    const { status, json } = await withMeta(meta);
    expect([status, json.id, json.error.code]).toEqual([400, 'm', -32602]);
    expect(json.error.data).toEqual({ code: 'invalid_params', retryable: false, missing });
  });

  test('[HT40] discover without a word about the revision is told what it lacks', async () => {
    const { status, json } = await w.post(rpc('server/discover'));
    expect([status, json.error.code, json.error.data.missing]).toEqual([400, -32602, ['_meta']]);
  });

  test.each([
    [{ [VERSION]: 5, [CAPABILITIES]: {} }],
    [{ [VERSION]: '2026-07-28', [CAPABILITIES]: [] }],
    [{ [VERSION]: '2026-07-28', [CAPABILITIES]: {}, 'io.modelcontextprotocol/clientInfo': 'me' }],
    [{ [VERSION]: '2026-07-28', [CAPABILITIES]: {}, 'io.modelcontextprotocol/clientInfo': {} }],
  ])('[HT40] _meta %j has another shape', async meta => {
    const { status, json } = await withMeta(meta);
    expect([status, json.error.code]).toEqual([400, -32602]);
  });

  test.each([
    ['mcp-protocol-version', undefined],
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-method', undefined],
    ['mcp-method', 'TOOLS/CALL'],
    ['mcp-method', 'tools/list'],
    ['mcp-name', undefined],
    ['mcp-name', 'write'],
    ['mcp-name', '=?base64?bm90ZWQ?='],
    ['mcp-name', '=?base64?d3JpdGU=?='],
  ])('[HT41] the header %s: %s does not fit', async (header, value) => {
    const { status, json } = await ask('tools/call', { name: 'noted' }, { [header]: value });
    expect([status, json.id, json.error.code]).toEqual([400, 1, -32020]);
    expect(json.error.data).toMatchObject({ code: 'header_mismatch', retryable: false });
    expect(json.error.data.mismatch.header.toLowerCase()).toBe(header);
  });

  test('[HT41] a name may be padded or wrapped as base64', async () => {
    for (const name of ['  noted  ', '=?base64?bm90ZWQ=?='])
      expect((await ask('tools/call', { name: 'noted' }, { 'mcp-name': name })).json.result.isError).toBe(false);
  });

  test('[HT41] these headers mean nothing to a handshake client', async () => {
    expect((await w.call('noted', {}, { 'mcp-method': 'other', 'mcp-name': 'other' })).json.result.isError).toBe(false);
  });

  test('[HT42] a revision of no one is answered with those of ours', async () => {
    for (const requested of ['2027-01-01', 'v999.0.0', '2025-11-25']) {
      const meta = { [VERSION]: requested, [CAPABILITIES]: {} };
      const { status, json } = await withMeta(meta, { 'mcp-protocol-version': requested });
      expect([status, json.id, json.error.code]).toEqual([400, 'm', -32022]);
      expect(json.error.data).toMatchObject({ supported: ['2026-07-28'], requested });
    }
  });

  test.each(['2020-01-01', '2024-11-05', '2025-06-18, 2025-06-18', 'x'])(
    '[HT42] the version header %s is refused, in requests and notifications',
    async version => {
      for (const body of [
        rpc('tools/list', {}, 'v'),
        rpc('ping', {}, 'v'),
        { jsonrpc: '2.0', method: 'notifications/x' },
      ]) {
        const { status, json } = await w.post(body, { 'mcp-protocol-version': version });
        expect([status, json.error.code, json.error.data.requested]).toEqual([400, -32022, version]);
        expect(json.error.data.supported).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']);
      }
    },
  );

  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'subscriptions/listen', 'no/such'])(
    '[HT43] %s is not there',
    async method => {
      const { status, json } = await ask(method);
      expect([status, json.id, json.error.code]).toEqual([404, 1, -32601]);
    },
  );
});
