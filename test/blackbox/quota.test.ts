import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { startCairn, startIn, type Cairn } from './cairn.ts';
import { client, request, type Client } from './client.ts';
import { instance, path, skill, skillPath } from './page.ts';

let issuer: TestIssuer;
let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  issuer = await startIssuer();
  cairn = await startCairn({ GROUNDNOTE_AUTH_OIDC_ISSUER: issuer.issuer });
  admin = client(cairn.origin, await issuer.token({ sub: 'root', roles: ['escurel:admin'] }));
  agent = client(cairn.origin, await issuer.token());
});
afterAll(async () => {
  await cairn.stop();
  await issuer.stop();
});

const quotas = (given: Record<string, number>) => admin.ok('tenant_update', { quotas: given });
const left = () => admin.ok('admin_quota');
const write = (id: string, to = agent) => to.call('update_page', { page_id: skillPath(id), content: skill(id) });

/** Buckets so slow that nothing comes back while a test runs. */
const SLOW = { queries_per_minute: 5, writes_per_minute: 3, embeds_per_minute: 4 };

/** What one call takes from the buckets. */
async function taken(call: () => Promise<unknown>): Promise<{ queries: number; writes: number; embeds: number }> {
  await quotas(SLOW);
  await call();
  const { queries_remaining, writes_remaining, embeds_remaining } = await left();
  return {
    queries: SLOW.queries_per_minute - queries_remaining,
    writes: SLOW.writes_per_minute - writes_remaining,
    embeds: SLOW.embeds_per_minute - embeds_remaining,
  };
}

test('E063 E082 a fresh tenant has the built-in limits', async () => {
  expect(await left()).toEqual({
    queries_remaining: 600,
    writes_remaining: 120,
    embeds_remaining: 300,
    concurrent_sessions: 0,
  });
});

test('[AE5] E072 where no model is set each written block takes one of the embeds, and none is held back', async () => {
  await quotas({ ...SLOW, embeds_per_minute: 20 });
  const body = Array.from({ length: 9 }, (_, no) => `Paragraph ${no}`).join('\n\n');
  await admin.ok('update_page', { page_id: path('note', 'fresh'), content: instance('note', 'fresh', '', body) });
  expect((await left()).embeds_remaining).toBe(11);
  await admin.ok('search', { q: 'paragraph' });
  expect((await left()).embeds_remaining).toBe(11);
  await admin.ok('update_page', { page_id: path('note', 'more'), content: instance('note', 'more', '', body) });
  await admin.ok('update_page', { page_id: path('note', 'last'), content: instance('note', 'last', '', body) });
  expect((await left()).embeds_remaining).toBe(0);
  expect((await admin.ok('search', { q: 'paragraph', page_id: path('note', 'last') })).hits).not.toEqual([]);
});

test('E064 a bucket holds a minute of calls', async () => {
  await quotas(SLOW);
  const answers = [];
  for (let at = 0; at < 6; at += 1) answers.push((await agent.call('list_skills')).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
});

test('E065 E066 E067 an exhausted bucket is HTTP 429 with a JSON-RPC body', async () => {
  await quotas({ ...SLOW, queries_per_minute: 1 });
  await agent.ok('list_skills');
  const { status, headers, json } = await agent.call('list_skills');
  expect(status).toBe(429);
  expect(json).toMatchObject({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32000, data: { code: 'quota_exhausted', retryable: true, dimension: 'queries' } },
  });
  const wait = json.error.data.retry_after_ms;
  expect(headers.get('retry-after-ms')).toBe(String(wait));
  expect(Number.isInteger(wait) && wait > 30_000 && wait <= 60_000).toBe(true);

  await quotas({ ...SLOW, writes_per_minute: 1 });
  await write('first');
  const second = await write('second');
  expect(second.json.error.data).toMatchObject({ dimension: 'writes', retryable: true });
  expect((await admin.ok('expand', { page_id: skillPath('second') })).page).toBeNull();
});

test.each(['update_page', 'delete_page', 'move_page'])('E068 %s costs a write', async tool => {
  expect(await taken(() => agent.call(tool))).toEqual({ queries: 0, writes: 1, embeds: 0 });
});

test.each(['list_skills', 'list_instances', 'resolve', 'expand', 'neighbours', 'search', 'validate', 'no_such_tool'])(
  'E069 %s costs a query, whatever its arguments are worth',
  async tool => {
    expect(await taken(() => agent.call(tool))).toEqual({ queries: 1, writes: 0, embeds: 0 });
  },
);

test('E070 initialize, ping, notifications, tools/list and admin tools cost nothing', async () => {
  const free = async (): Promise<void> => {
    for (const method of ['initialize', 'ping', 'tools/list', 'nonsense']) await agent.rpc(method);
    await agent.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const tool of ['tenant_get', 'admin_quota', 'list_group_members', 'add_group_member', 'purge_page']) {
      await agent.call(tool);
      await admin.call(tool);
    }
  };
  expect(await taken(free)).toEqual({ queries: 0, writes: 0, embeds: 0 });
});

test('E071 an empty bucket of writes leaves reading alone', async () => {
  await quotas({ ...SLOW, writes_per_minute: 1 });
  await write('one');
  expect((await write('two')).status).toBe(429);
  expect((await agent.call('list_skills')).status).toBe(200);
});

test('E085 overrides are laid over the defaults, not over earlier ones, and fill the buckets', async () => {
  await quotas(SLOW);
  await agent.ok('list_skills');
  await quotas({ writes_per_minute: 7 });
  expect(await left()).toMatchObject({ queries_remaining: 600, writes_remaining: 7, embeds_remaining: 300 });
});

test('E671a quotas are positive whole numbers of known limits', async () => {
  for (const bad of [{ writes_per_minute: 0 }, { queries_per_minute: 1.5 }, { queries_per_minute: -1 }, { cups: 3 }]) {
    expect((await admin.fails('tenant_update', { quotas: bad })).code).toBe(-32602);
  }
});

test('E083 admin_quota of another tenant is a failed precondition', async () => {
  expect(await admin.fails('admin_quota', { tenant_id: 'other' })).toMatchObject({
    code: -32002,
    data: { code: 'failed_precondition', retryable: false },
  });
});

test('E093 an empty tenant_id means the served one', async () => {
  expect(await admin.ok('admin_quota', { tenant_id: '' })).toEqual(
    await admin.ok('admin_quota', { tenant_id: 'default' }),
  );
});

test('E057 a suspended tenant refuses agents with HTTP 403 for any method', async () => {
  await quotas({});
  await admin.ok('tenant_update', { status: 'suspended' });
  for (const [method, params] of [
    ['tools/list', {}],
    ['ping', {}],
    ['initialize', {}],
    ['tools/call', { name: 'list_skills' }],
    ['no/such', {}],
  ] as const) {
    const { status, json } = await agent.rpc(method, params);
    expect([status, json.id, json.error.code]).toEqual([403, 1, -32003]);
    expect(json.error.data).toEqual({ code: 'tenant_suspended', retryable: false });
  }
});

test('E060 admins pass while the tenant is suspended', async () => {
  expect((await admin.rpc('ping')).json.result).toEqual({});
  expect((await write('by-admin', admin)).json.result.structuredContent.ok).toBe(true);
});

test('E061 a suspended call is debited before it is refused', async () => {
  await quotas(SLOW);
  for (let at = 0; at < 5; at += 1) expect((await agent.call('list_skills')).status).toBe(403);
  expect((await agent.call('list_skills')).status).toBe(429);
  expect((await left()).queries_remaining).toBe(0);
});

test('E057 a resumed tenant serves agents again', async () => {
  await quotas({});
  await admin.ok('tenant_update', { status: 'active' });
  expect((await agent.call('list_skills')).status).toBe(200);
});

test('E070 the health routes are no calls', async () => {
  await quotas(SLOW);
  for (let at = 0; at < 10; at += 1) await request(`${cairn.origin}/readyz`);
  expect(await left()).toMatchObject({ queries_remaining: 5, writes_remaining: 3 });
});

test('E084 suspension and overrides outlive a restart, buckets are full again', async () => {
  await quotas(SLOW);
  await admin.ok('tenant_update', { status: 'suspended' });
  await agent.call('list_skills');
  const folder = cairn.folder;
  await cairn.end();
  cairn = await startIn(folder, { ESCUREL_AUTH_OIDC_ISSUER: issuer.issuer });
  admin = client(cairn.origin, await issuer.token({ sub: 'root', roles: ['escurel:admin'] }));
  agent = client(cairn.origin, await issuer.token());
  expect(await left()).toMatchObject({ queries_remaining: 5, writes_remaining: 3 });
  expect((await agent.rpc('ping')).status).toBe(403);
  expect((await admin.ok('expand', { page_id: path('no', 'page') })).page).toBeNull();
});
