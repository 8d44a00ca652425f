import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCairn, type Cairn } from './cairn.ts';
import { client, request, type Client } from './client.ts';
import { instance, path, writeSkill } from './page.ts';

let cairn: Cairn;
let pages: Client;
beforeAll(async () => {
  cairn = await startCairn({ ESCUREL_AUTH_MODE: 'open', ESCUREL_VERSION: '7.8.9' });
  pages = client(cairn.origin);
  await writeSkill(pages, 'customer', 'required_frontmatter: [tier]');
});
afterAll(() => cairn.stop());

const words = (text: string): string[] => text.trim().split(/\s+/);
/** Labels as the document, facts and deviations state them, for tools that are there and for those to come. */
const LABELS = {
  agent: {
    deterministic: words(`list_skills list_instances resolve expand fetch_blob neighbours search query_instance validate
      list_messages list_inbox list_events list_snapshots list_op_authors provenance_ancestry provenance_report`),
    orchestration: words(`update_page delete_page move_page write_instance open_session apply_op close_session
      append_message capture_event assign_event`),
  },
  admin: {
    deterministic:
      words(`admin_audit admin_index_query admin_list_lanes admin_lane_keys admin_lane_blob list_group_members
      list_credentials list_endpoints tenant_list tenant_get tenant_export export_pack list_packs`),
    orchestration: words(`purge_page rebuild compact_lanes admin_quota tenant_create tenant_update tenant_delete
      tenant_import import_pack rebase_pack unsubscribe_pack submit_promotion add_group_member remove_group_member
      embedding_reload validate_bindings validate_endpoints`),
  },
};
const FIRST = {
  agent: words('list_skills list_instances resolve expand neighbours search validate update_page'),
  admin: words('tenant_get tenant_update admin_quota add_group_member remove_group_member list_group_members'),
};
const OUTPUT_SCHEMA =
  words(`update_page delete_page move_page purge_page write_instance apply_op close_session import_pack
  rebase_pack validate search list_skills list_instances list_inbox list_events list_messages capture_event assign_event
  fetch_blob expand`);

// oxlint-disable-next-line no-explicit-any -- entries are looked at as they come
const tools = async (): Promise<any[]> => (await pages.rpc('tools/list')).json.result.tools;

test.each(['1.0', '2', 2, null, undefined, ['2.0']])('E001 jsonrpc %j is a bad envelope', async jsonrpc => {
  const { status, json } = await pages.post({ jsonrpc, id: 7, method: 'ping' });
  expect(status).toBe(200);
  expect(json.error).toMatchObject({ code: -32600, message: expect.stringMatching(/jsonrpc/i) });
  expect(json.id).toBe(7);
});

test.each(['2025-03-26', '2025-06-18', '2025-11-25'])('E002 initialize echoes %s', async protocolVersion => {
  const { json } = await pages.rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: {} });
  expect(json.result).toEqual({
    protocolVersion,
    capabilities: { tools: { listChanged: false } },
    serverInfo: { name: 'escurel', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  });
});

test('E002 an unknown revision gets our newest that has a handshake, at HTTP 200', async () => {
  for (const protocolVersion of ['2031-01-01', 'latest', '1']) {
    const { status, json } = await pages.rpc('initialize', { protocolVersion });
    expect([status, json.result.protocolVersion]).toEqual([200, '2025-11-25']);
  }
});

test('E002 serverInfo is cairn on /mcp', async () => {
  const { json } = await client(cairn.origin, undefined, '/mcp').rpc('initialize', {});
  expect(json.result.serverInfo.name).toBe('cairn');
});

test('E003 initialize without a revision, or with an empty one, is 2025-06-18', async () => {
  for (const params of [{}, { protocolVersion: '' }, undefined]) {
    expect((await pages.rpc('initialize', params)).json.result.protocolVersion).toBe('2025-06-18');
  }
});

test('E004 notifications are HTTP 202 without a body, whatever their name', async () => {
  for (const name of ['initialized', 'cancelled', 'no/such/thing', '']) {
    const { status, text } = await pages.post({ jsonrpc: '2.0', method: `notifications/${name}` });
    expect([status, text]).toEqual([202, '']);
  }
});

test('E005 ping answers an empty object', async () => {
  expect((await pages.rpc('ping')).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});

test('E006 an unknown method is -32601, named, id echoed, no data', async () => {
  const { status, json } = await pages.post({ jsonrpc: '2.0', id: 'abc', method: 'resources/nope' });
  expect(status).toBe(200);
  expect(json.id).toBe('abc');
  expect(json.error).toEqual({ code: -32601, message: expect.stringContaining('resources/nope') });
});

test('E007 an unknown tool is -32601 with the id', async () => {
  const { status, json } = await pages.post({
    jsonrpc: '2.0',
    id: 0,
    method: 'tools/call',
    params: { name: 'no_such_tool', arguments: {} },
  });
  expect([status, json.id, json.error.code]).toEqual([200, 0, -32601]);
});

test.each([{}, { arguments: {} }, { name: 7 }, { name: null }])('E008 tools/call with params %j', async params => {
  const { json } = await pages.rpc('tools/call', params);
  expect(json.error.code).toBe(-32602);
  expect(json.error.message).toMatch(/^tools\/call params:/);
});

test.each([
  ['expand', {}],
  ['expand', { page_id: 7 }],
  ['list_instances', { skill_id: ['a'] }],
  ['search', { q: { a: 1 } }],
  ['neighbours', { page_id: 'a', direction: 'sideways' }],
  ['update_page', { page_id: 'a.md' }],
])('E009 %s with arguments %j is -32602 and begins with the tool', async (tool, args) => {
  const error = await pages.fails(tool, args);
  expect(error.code).toBe(-32602);
  expect(error.message.startsWith(`${tool}: `)).toBe(true);
});

test('E009 arguments that are no object', async () => {
  for (const args of ['x', [], 7]) {
    const { json } = await pages.rpc('tools/call', { name: 'list_skills', arguments: args });
    expect(json.error.code).toBe(-32602);
  }
});

test('E010 unknown arguments are ignored and named in _meta', async () => {
  const { json } = await pages.call('list_skills', { colour: 'red', skil: 1 });
  expect(json.result.isError).toBe(false);
  expect(JSON.stringify(json.result['_meta'])).toContain('colour');
});

test('E011 a request without an id is answered to null', async () => {
  const { status, json } = await pages.post({ jsonrpc: '2.0', method: 'ping' });
  expect([status, json]).toEqual([200, { jsonrpc: '2.0', id: null, result: {} }]);
});

test('E012 a call answers its payload as text and as structuredContent', async () => {
  const { result } = (await pages.call('list_skills')).json;
  expect(result.isError).toBe(false);
  expect(result.content).toHaveLength(1);
  expect(result.content[0].type).toBe('text');
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
});

test('E013 tools/list is raw', async () => {
  const { result } = (await pages.rpc('tools/list')).json;
  expect(result).not.toHaveProperty('content');
  expect(result).not.toHaveProperty('structuredContent');
  expect(result.tools.length).toBeGreaterThan(0);
});

test('E014 a payload ok:false is isError without a JSON-RPC error, and logged as rejected', async () => {
  const args = { page_id: path('customer', 'x'), content: instance('customer', '""') };
  const { status, json } = await pages.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'update_page', arguments: args } },
    { 'x-request-id': 'rejected-one' },
  );
  expect([status, json.error, json.result.isError]).toEqual([200, undefined, true]);
  expect(json.result.structuredContent.ok).toBe(false);
  const line = await cairn.logged(({ request_id }) => request_id === 'rejected-one');
  expect(line['status']).toBe('rejected');
});

test('E015 validate reports ok:false without isError', async () => {
  const { result } = (await pages.call('validate', { content: 'no header' })).json;
  expect([result.isError, result.structuredContent.ok]).toEqual([false, false]);
});

test('E018 an admin sees the tools of both scopes', async () => {
  const names = (scope: string) => all.filter(tool => tool.scope === scope).map(({ name }) => name);
  const all = await tools();
  expect(names('agent')).toEqual(expect.arrayContaining(FIRST.agent));
  expect(names('admin')).toEqual(expect.arrayContaining(FIRST.admin));
});

test('E020 an entry has name, description, inputSchema of type object, execution and scope', async () => {
  for (const tool of await tools()) {
    expect(tool).toMatchObject({
      name: expect.stringMatching(/^[a-z_]{1,48}$/),
      description: expect.stringMatching(/\w/),
      inputSchema: { type: 'object' },
      execution: expect.stringMatching(/^(deterministic|orchestration)$/),
      scope: expect.stringMatching(/^(agent|admin)$/),
    });
  }
});

test.each(['agent', 'admin'] as const)('E021 E022 E023 E024 scope and label of %s tools', async scope => {
  const known = Object.entries(LABELS[scope]).flatMap(([label, names]) => names.map(name => [name, label] as const));
  const expected = new Map(known.map(([name, label]) => [name, `${name} ${scope} ${label}`]));
  const named = (await tools()).filter(({ name }) => expected.has(name));
  expect(named.length).toBeGreaterThanOrEqual(FIRST[scope].length);
  for (const tool of named) expect(`${tool.name} ${tool.scope} ${tool.execution}`).toBe(expected.get(tool.name));
});

test('E025 outputSchema is declared for the tools that have one, and for no other of the document', async () => {
  const all = new Set(
    Object.values(LABELS).flatMap(({ deterministic, orchestration }) => [...deterministic, ...orchestration]),
  );
  for (const tool of (await tools()).filter(({ name }) => all.has(name))) {
    expect([tool.name, 'outputSchema' in tool]).toEqual([tool.name, OUTPUT_SCHEMA.includes(tool.name)]);
  }
});

test('E026 verb-first names work and are not listed', async () => {
  expect(await pages.ok('get_tenant')).toMatchObject({ spec: { tenant_id: 'default' } });
  expect(await pages.ok('update_tenant', { display_name: 'One' })).toMatchObject({ spec: { display_name: 'One' } });
  expect((await tools()).map(({ name }) => name)).not.toContain('get_tenant');
});

test.each(['provenance_path', 'expectation_drift', 'abandoned_paths'])('E028 %s is no tool', async name => {
  expect((await pages.fails(name)).code).toBe(-32601);
});

test('E030 X-Request-Id is trimmed and becomes request_id and trace_id of the log', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_skills' } };
  await pages.post(ping, { 'x-request-id': '  order-17  ' });
  const line = await cairn.logged(({ request_id }) => request_id === 'order-17');
  expect(line['trace_id']).toBe('order-17');
  const { headers } = await pages.post(ping);
  const made = headers.get('x-request-id');
  expect(made).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  await cairn.logged(({ request_id }) => request_id === made);
});

test('E031 /openapi.json needs no token', async () => {
  const { status, json } = await request(`${cairn.origin}/openapi.json`);
  expect(status).toBe(200);
  expect(json).toMatchObject({ openapi: '3.1.0', info: { title: 'escurel agent surface', version: '7.8.9' } });
});

test('E032 /openapi.json has the routes, the bearer scheme and an input schema a tool', async () => {
  const { json } = await request(`${cairn.origin}/openapi.json`);
  expect(Object.keys(json.paths)).toEqual(expect.arrayContaining(['/mcp', '/healthz', '/readyz', '/version']));
  expect(json.components.securitySchemes.bearerAuth).toMatchObject({ type: 'http', scheme: 'bearer' });
  const names = (await tools()).map(({ name }) => name).toSorted();
  for (const name of names) expect(json.components.schemas[`${name}_input`]).toMatchObject({ type: 'object' });
  const enums = [...JSON.stringify(json).matchAll(/"enum":(\[[^\]]*\])/g)].map(([, list]) =>
    JSON.parse(list!).toSorted(),
  );
  expect(enums).toContainEqual(names);
});

test('E033 GET /mcp is 405 and no stream', async () => {
  for (const endpoint of ['/mcp', '/mcp/pages']) {
    const { status, headers } = await request(cairn.origin + endpoint, { headers: { accept: 'text/event-stream' } });
    expect(status).toBe(405);
    expect(headers.get('content-type')).not.toContain('event-stream');
  }
});

test.each(['', '{', '"x"', '7', 'null', '{"jsonrpc":"2.0","id":1}', 'jsonrpc=2.0'])(
  'E034 body %j is a plain 4xx and no JSON-RPC envelope',
  async body => {
    const { status, json } = await pages.post(body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(json?.jsonrpc).toBeUndefined();
  },
);

test('E034 the server answers after all of this', async () => {
  expect((await pages.rpc('ping')).json.result).toEqual({});
});
