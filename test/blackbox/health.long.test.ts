import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { refusedStart, ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, request, type Client } from './client.ts';
import { instance, path, writeSkill } from './page.ts';

let issuer: TestIssuer;
let cairn: Cairn;
let agent: Client;
let token: string;
beforeAll(async () => {
  issuer = await startIssuer();
  cairn = await startCairn(
    {
      CAIRN_AUTH_OIDC_ISSUER: issuer.issuer,
      VERSION: '1.2.3',
      ESCUREL_VERSION: '9.9.9',
      ESCUREL_ENV: 'lab',
      ENV: 'other',
    },
    ROOMY,
  );
  token = await issuer.token();
  agent = client(cairn.origin, token);
  await writeSkill(agent, 'note');
});
afterAll(async () => {
  await cairn.stop();
  await issuer.stop();
});

const get = (route: string, init?: RequestInit) => request(cairn.origin + route, init);
const metrics = async (): Promise<string> => (await get('/metrics')).text;
/** The value of one series, 0 while there is none. */
const value = async (series: string): Promise<number> => {
  const line = (await metrics()).split('\n').find(each => each.startsWith(`${series} `));
  return Number(line?.split(' ')[1] ?? 0);
};

test('E693 E694 /healthz and /readyz are 200 OK', async () => {
  for (const route of ['/healthz', '/readyz']) {
    const { status, text, headers } = await get(route);
    expect([status, text, headers.get('content-type')?.split(';')[0]]).toEqual([200, 'OK', 'text/plain']);
  }
});

test('E696 N002 /version is VERSION, plain text, and not the version of serverInfo', async () => {
  const { status, text, headers } = await get('/version');
  expect([status, text, headers.get('content-type')?.split(';')[0]]).toEqual([200, '1.2.3', 'text/plain']);
  expect((await agent.rpc('initialize', {})).json.result.serverInfo.version).not.toBe('1.2.3');
});

test('E697 /metrics is on the main port while no listener is named', async () => {
  const { status, headers } = await get('/metrics');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4']);
});

test('E698 E703 names, labels and buckets', async () => {
  await agent.ok('list_skills');
  const text = await metrics();
  for (const name of [
    'escurel_up 1',
    'escurel_requests_total{route="/mcp/pages",status="200"}',
    'escurel_request_latency_seconds_bucket{',
    'escurel_tool_calls{tenant="default",tool="list_skills",transport="mcp_http",status="ok"}',
    'escurel_tool_latency_ms_bucket{',
    'escurel_writes_total{tenant="default",origin=',
    'escurel_live_sessions_open 0',
    '# TYPE escurel_audit_drift gauge',
    '# TYPE escurel_runner_runs_total counter',
    '# TYPE escurel_runner_throttled_total counter',
    'escurel_runner_queue_depth 0',
    'escurel_runner_cascade_depth_max 0',
  ])
    expect(text).toContain(name);
  const buckets = [...text.matchAll(/escurel_tool_latency_ms_bucket\{le="([^"]+)",[^}]*tool="list_skills"/g)];
  expect(buckets.map(([, le]) => le)).toEqual([
    '1',
    '2.5',
    '5',
    '10',
    '25',
    '50',
    '100',
    '250',
    '500',
    '1000',
    '2500',
    '+Inf',
  ]);
});

test('E699 calls are counted as ok, error or rejected; E702 under the canonical name', async () => {
  const calls = (tool: string, status: string) =>
    value(`escurel_tool_calls{tenant="default",tool="${tool}",transport="mcp_http",status="${status}"}`);
  await agent.call('expand', {});
  await agent.call('update_page', { page_id: path('note', 'x'), content: 'none' });
  await agent.call('get_tenant');
  await agent.call('no_such_tool');
  expect(await calls('expand', 'error')).toBe(1);
  expect(await calls('update_page', 'rejected')).toBe(1);
  expect(await calls('tenant_get', 'error')).toBe(1);
  expect(await calls('get_tenant', 'error')).toBe(0);
  expect(await calls('no_such_tool', 'error')).toBe(1);
});

test('E700 every request at an MCP endpoint counts as 200', async () => {
  const before = await value('escurel_requests_total{route="/mcp",status="200"}');
  await client(cairn.origin, undefined, '/mcp').rpc('ping');
  await client(cairn.origin, token, '/mcp').rpc('ping');
  expect(await value('escurel_requests_total{route="/mcp",status="200"}')).toBe(before + 2);
});

test('E701 an audit sets the drift', async () => {
  const admin = client(cairn.origin, await issuer.token({ sub: 'root', roles: ['escurel:admin'] }));
  expect(await admin.ok('admin_audit')).toMatchObject({ markdown_not_in_duckdb: [], indexed_but_no_markdown: [] });
  expect(await metrics()).toMatch(/^escurel_audit_drift\{tenant="default",category="[a-z_]+"\} 0$/m);
});

test('E704 E705 a call leaves one line with who, what and how long, and no body or token', async () => {
  const body = {
    name: 'update_page',
    arguments: { page_id: path('note', 'x'), content: instance('note', 'x', '', 'Geheim') },
  };
  await agent.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: body }, { 'x-request-id': 'one-line' });
  const line = await cairn.logged(({ request_id }) => request_id === 'one-line');
  expect(line).toMatchObject({
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: 'info',
    app: 'escurel',
    env: 'lab',
    version: '1.2.3',
    msg: 'tool.completed',
    tenant: 'default',
    subject: 'ann',
    tool: 'update_page',
    status: 'ok',
    duration_ms: expect.any(Number),
    transport: 'mcp_http',
    request_id: 'one-line',
    trace_id: 'one-line',
  });
  const all = JSON.stringify(cairn.log());
  expect(cairn.log().filter(({ request_id }) => request_id === 'one-line')).toHaveLength(1);
  expect(all).not.toContain('Geheim');
  expect(all).not.toContain(token.split('.')[1]);
});

test('E706 an unknown route is 404', async () => {
  for (const route of ['/', '/nothing', '/mcp/nothing', '/mcp/', '/healthz/x'])
    expect((await get(route)).status).toBe(404);
});

test('E707 the start says where it listens, a stop ends with 0', async () => {
  expect(cairn.log().map(line => line['msg'])).toContain(
    `the server listening http=${cairn.origin.slice('http://'.length)}`,
  );
  const other = await startCairn();
  expect(await other.end('SIGTERM')).toBe(0);
  await other.stop();
});

test('E707 a fatal error is one line on stderr and exit 1', () => {
  const { code, stdout, stderr } = refusedStart({});
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('auth-mode-missing');
  expect(stderr).not.toContain('    at ');
});

test('N074 a listener for metrics has them alone', async () => {
  const other = await startCairn({ CAIRN_AUTH_MODE: 'open', ESCUREL_OBSERVABILITY_METRICS_LISTEN: '127.0.0.1:0' });
  try {
    expect((await request(`${other.origin}/metrics`)).status).toBe(404);
    const { metrics: address } = await other.logged(line => 'metrics' in line);
    expect((await request(`http://${address}/metrics`)).text).toContain('escurel_up 1');
    expect((await request(`http://${address}/healthz`)).status).toBe(404);
  } finally {
    await other.stop();
  }
});

test.each([{ CAIRN_METRICS_LISTEN: 'off' }, { ESCUREL_OBSERVABILITY_METRICS_LISTEN: '' }])(
  'N074 %j means no metrics at all',
  async given => {
    const other = await startCairn({ CAIRN_AUTH_MODE: 'open', ...(given as Record<string, string>) });
    const { status } = await request(`${other.origin}/metrics`);
    await other.stop();
    expect(status).toBe(404);
  },
);
