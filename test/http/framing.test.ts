import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, as, rpc, rulesForAll, type World, world } from './world.ts';

describe('JSON-RPC framing', () => {
  let w: World;
  beforeAll(async () => void (w = await world()));
  afterAll(() => w.stop(0));

  test.each([
    ['1.0', 7, 7],
    [2, 'a', 'a'],
    [undefined, {}, null],
  ])('[HT1] jsonrpc %j is refused before anyone is known', async (jsonrpc, id, answered) => {
    const { status, json } = await w.post({ jsonrpc, id, method: 'ping' }, { authorization: 'Bearer wrong' });
    expect([status, json.id, json.error.code]).toEqual([200, answered, -32600]);
    expect(json.error.message).toMatch(/jsonrpc version/);
  });

  test.each([
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['', '2025-06-18'],
    [undefined, '2025-06-18'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('[HT2] initialize with %j agrees on %s', async (protocolVersion, agreed) => {
    const params = { protocolVersion, capabilities: { unheard: { of: true } }, clientInfo: { name: 't' }, more: [] };
    const { status, json } = await w.post(rpc('initialize', params, 'i'), { 'mcp-protocol-version': '2099-01-01' });
    expect(status).toBe(200);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 'i',
      result: {
        protocolVersion: agreed,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'cairn', version: '1.2.3' },
      },
    });
  });

  test('[HT2] initialize with a version that is no text is refused', async () => {
    const { json } = await w.post(rpc('initialize', { protocolVersion: 5 }));
    expect(json.error).toMatchObject({ code: -32602, data: { place: 'protocolVersion' } });
  });

  test.each(['notifications/initialized', 'notifications/cancelled', 'notifications/never/heard'])(
    '[HT3] %s is taken without a word',
    async method => {
      const answer = await w.post({ jsonrpc: '2.0', method });
      expect([answer.status, answer.text]).toEqual([202, '']);
    },
  );

  test('[HT3] a notification with an id is a request for an unknown method', async () => {
    const { status, json } = await w.post(rpc('notifications/initialized'));
    expect([status, json.error.code]).toEqual([200, -32601]);
  });

  test('[HT4] ping answers an empty result', async () => {
    expect((await w.post(rpc('ping', undefined, 'p'))).json).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
  });

  test('[HT4] tools/list answers the list alone', async () => {
    expect(Object.keys((await w.post(rpc('tools/list'))).json.result)).toEqual(['tools']);
  });

  test('[HT4] tools/list has one page and knows no cursor', async () => {
    expect((await w.post(rpc('tools/list', { cursor: 'next' }))).json.error.code).toBe(-32602);
    expect((await w.post(rpc('tools/list', { cursor: null }))).json.result.tools).toHaveLength(6);
  });

  test.each(['resources/list', 'prompts/get', 'tools/List', '__proto__'])(
    '[HT5] the unknown method %s is named, without data',
    async method => {
      const { status, json } = await w.post(rpc(method, {}, 9));
      expect(status).toBe(200);
      expect(json).toEqual({
        jsonrpc: '2.0',
        id: 9,
        error: { code: -32601, message: `unknown method: ${method}` },
      });
    },
  );

  test('[HT6] an unknown tool is named with the id', async () => {
    const before = w.left.queries;
    const { status, json } = await w.post(rpc('tools/call', { name: 'provenance_path' }, 'x'));
    expect([status, json.id, json.error.code]).toEqual([200, 'x', -32601]);
    expect(json.error.message).toContain('provenance_path');
    expect(before - w.left.queries).toBe(1);
  });

  test.each([[{}], [{ name: 5 }], [{ arguments: {} }], [undefined]])(
    '[HT7] tools/call with %j lacks a name',
    async params => {
      const { status, json } = await w.post(rpc('tools/call', params, 3));
      expect([status, json.id, json.error.code]).toEqual([200, 3, -32602]);
      expect(json.error.message).toMatch(/^tools\/call params:/);
    },
  );

  test('[HT12] a request without an id is answered to null', async () => {
    const { json } = await w.post({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'noted' } });
    expect([json.id, json.result.isError]).toEqual([null, false]);
  });

  test.each([[null], [true], [[1]], [{ a: 1 }]])('[HT12] the id %j is refused', async id => {
    const { status, json } = await w.post(rpc('ping', {}, id));
    expect([status, json.id, json.error.code]).toEqual([200, null, -32600]);
  });

  test.each([0, -1, 1.5, '', '7', 'id with "quotes" and ü'])('[HT12] the id %j comes back as it was', async id => {
    expect((await w.post(rpc('ping', {}, id))).json.id).toBe(id);
  });

  test.each([['x'], [5], [[1, 2]], [true]])('[HT13] params %j are refused under the id', async params => {
    const { status, json } = await w.post(rpc('tools/call', params, 'p'));
    expect([status, json.id, json.error.code]).toEqual([200, 'p', -32602]);
  });

  test('[HT14] a call answers text and structure alike', async () => {
    const text = 'Zeile\n"Anführung" \u2028 \u{1f600} \ud800 </script>';
    const { json } = await w.call('echo', { text });
    expect(Object.keys(json.result)).toEqual(['content', 'structuredContent', 'isError']);
    expect(json.result.content).toHaveLength(1);
    expect(json.result.content[0].type).toBe('text');
    expect(JSON.parse(json.result.content[0].text)).toEqual(json.result.structuredContent);
    expect(json.result.structuredContent).toEqual({ given: { text } });
    expect(json.result.isError).toBe(false);
  });

  test('[HT14] an empty payload is an empty object', async () => {
    const { json } = await w.call('noted');
    expect([json.result.content[0].text, json.result.structuredContent]).toEqual(['{}', {}]);
  });

  test.each([
    ['write', { ok: true }, false],
    ['write', { ok: false }, true],
    ['write', { ok: false, dry_run: true }, false],
    ['report', {}, false],
  ])('[HT15] E014 E015 E016 %s %j reports isError %j', async (name, args, isError) => {
    const { status, json } = await w.call(name, args);
    expect([status, json.result.isError, json.error]).toEqual([200, isError, undefined]);
    expect(JSON.parse(json.result.content[0].text)).toEqual(json.result.structuredContent);
  });

  test.each([
    ['not_found', -32602, false],
    ['invalid_params', -32602, false],
    ['failed_precondition', -32002, false],
    ['forbidden', -32003, false],
    ['quota_exhausted', -32000, true],
    ['unauthorized', -32003, false],
  ])('[HT16] E086 an op that throws %s is %d', async (code, number, retryable) => {
    const { status, json } = await w.call('fail', { code });
    expect(status).toBe(200);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: number, message: `failed: ${code}`, data: { code, retryable, place: 'here' } },
    });
  });

  test('[HT16] E095 a fault of ours says nothing of itself', async () => {
    const { status, json, text } = await w.call('fail');
    expect([status, json.error]).toEqual([200, { code: -32603, message: 'internal error' }]);
    expect(text).not.toContain('hunter2');
  });

  test('[HT17] remarks of an op are sent as _meta', async () => {
    expect((await w.call('noted')).json.result['_meta']).toEqual({ clamped: { k: 200 } });
    expect((await w.call('report')).json.result['_meta']).toBeUndefined();
  });

  test('[HT18] a batch is answered whole, in order, notifications left out', async () => {
    const batch = [
      rpc('ping', {}, 1),
      { jsonrpc: '2.0', method: 'notifications/x' },
      rpc('nope', {}, 'b'),
      5,
      { id: 3 },
    ];
    const { status, json } = await w.post(batch);
    expect(status).toBe(200);
    expect(json.map((each: { id: unknown }) => each.id)).toEqual([1, 'b', null, 3]);
    expect(json.map((each: { error?: { code: number } }) => each.error?.code)).toEqual([
      undefined,
      -32601,
      -32600,
      -32600,
    ]);
  });

  test('[HT18] a batch of notifications is 202', async () => {
    const answer = await w.post([{ jsonrpc: '2.0', method: 'notifications/x' }], {
      'mcp-protocol-version': '2025-03-26',
    });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  test.each([
    ['empty', [], {}],
    ['too long', Array.from({ length: 101 }, () => rpc('ping')), {}],
    ['a handshake', [rpc('ping'), rpc('initialize', {})], {}],
    ['another revision', [rpc('ping')], { 'mcp-protocol-version': '2025-06-18' }],
  ])('[HT18] a batch is refused whole: %s', async (_why, batch, headers) => {
    const { json } = await w.post(batch, headers);
    expect([json.id, json.error.code]).toEqual([null, -32600]);
  });

  test('[HT23] each endpoint carries its surfaces and its name', async () => {
    const ruled = await world({ rules: rulesForAll });
    const names = async (path: string): Promise<string[]> =>
      (await ruled.post(rpc('tools/list'), as(ADMIN), path)).json.result.tools.map(
        (tool: { name: string }) => tool.name,
      );
    expect(await names('/mcp')).toContain('get_rule');
    expect(await names('/mcp')).not.toContain('operator_only');
    expect(await names('/mcp/pages')).toEqual((await names('/mcp')).filter(name => name !== 'get_rule'));
    expect(await names('/mcp/rules')).toEqual(['get_rule']);
    const call = (name: string, path: string) => ruled.post(rpc('tools/call', { name }), {}, path);
    for (const [name, path] of [
      ['get_rule', '/mcp/pages'],
      ['noted', '/mcp/rules'],
      ['operator_only', '/mcp'],
    ] as const)
      expect((await call(name, path)).json.error.code).toBe(-32601);
    const named = async (path: string) => (await ruled.post(rpc('initialize', {}), {}, path)).json.result.serverInfo;
    expect(await named('/mcp/pages')).toEqual({ name: 'escurel', version: '1.2.3' });
    expect(await named('/mcp/rules')).toEqual({ name: 'groundnote', version: '1.2.3' });
    await ruled.stop(0);
  });

  test('[HT23] without rules nothing of them is there', async () => {
    expect((await w.call('get_rule')).json.error.code).toBe(-32601);
    for (const path of ['/mcp/rules', '/v1/status', '/v1']) expect((await fetch(`${w.url}${path}`)).status).toBe(404);
  });
});
