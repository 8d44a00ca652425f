import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { instance, path, skill, skillPath, write } from './page.ts';

/** Statements of the protocol document in its own examples, beside the facts of the catalogue. */
let issuer: TestIssuer;
let cairn: Cairn;
let admin: Client;
let agent: Client;
const MEETING = path('meeting', 'kickoff');
const ACME = path('customer', 'acme-corp');
beforeAll(async () => {
  issuer = await startIssuer();
  cairn = await startCairn({ CAIRN_AUTH_OIDC_ISSUER: issuer.issuer, ESCUREL_WRITE_ACL: 'enforce' }, ROOMY);
  admin = client(cairn.origin, await issuer.token({ sub: 'root', roles: ['escurel:admin'] }));
  agent = client(cairn.origin, await issuer.token({ sub: 'ann', roles: ['engagement-hoffmann', 'moderator'] }));
  await write(admin, {
    [skillPath('customer')]: skill('customer', 'required_frontmatter: [tier]\noptional_frontmatter: [mrr_band]'),
    [skillPath('meeting')]: skill('meeting', 'description: Who met\nrequired_frontmatter: [at, with]'),
    [ACME]: instance(
      'customer',
      'acme-corp',
      'tier: gold\ndescription: A buyer',
      'Acme renewal risk ^blk-acme-signals\n',
    ),
    [MEETING]: instance(
      'meeting',
      'kickoff',
      'at: 2026-04-12T10:00:00+02:00\nwith: "[[customer::acme-corp]]"\nsource: gmail',
      'Acme churn risk, see [[customer::acme-corp#blk-acme-signals]].\n',
    ),
  });
});
afterAll(async () => {
  await cairn.stop();
  await issuer.stop();
});

test('search takes every key of the example, null where it says null', async () => {
  const { hits, granularity } = await agent.ok('search', {
    q: 'Acme',
    k: 10,
    granularity: 'block',
    page_type: 'any',
    skill: 'meeting',
    filter: { at: { '>=': '2026-04-01' } },
    page_id: null,
    as_of: null,
    scenario: null,
  });
  expect(granularity).toBe('block');
  expect(hits).toMatchObject([
    { page_id: MEETING, anchor: expect.any(String), frontmatter_excerpt: { source: 'gmail' } },
  ]);
  const fused = await agent.ok('search', { queries: ['Acme renewal', 'Acme churn risk'], k: 2, granularity: 'page' });
  expect(fused.hits.map((hit: { page_id: string }) => hit.page_id).toSorted()).toEqual([ACME, MEETING]);
});

test('null checks, enumerations and ranges of the filter example', async () => {
  const found = async (filter: object) => (await agent.ok('search', { q: 'risk', filter })).hits.length;
  expect(await found({ prev_review: null })).toBe(2);
  expect(await found({ source: { in: ['gmail', 'outlook'] } })).toBe(1);
  expect(await found({ source: { not: 'gmail' } })).toBe(0);
});

test('resolve, expand and neighbours take null for what is not given', async () => {
  expect(await agent.ok('resolve', { wikilink: '[[customer::acme-corp]]', scenario: null })).toMatchObject({
    page: { page_id: ACME },
    exists: true,
  });
  const read = await agent.ok('expand', { page_id: ACME, as_of: null, scenario: null, full: false });
  expect(read.blocks).toEqual([{ anchor: 'blk-acme-signals', content: 'Acme renewal risk' }]);
  const { edges } = await agent.ok('neighbours', {
    page_id: MEETING,
    direction: 'both',
    link_skill: null,
    as_of: null,
    scenario: null,
  });
  expect(edges.map(({ dst_page, dst_anchor }: Record<string, string | null>) => [dst_page, dst_anchor])).toEqual([
    [ACME, null],
    [ACME, 'blk-acme-signals'],
  ]);
});

test('list_instances takes the example, at as written', async () => {
  const args = {
    skill_id: 'meeting',
    frontmatter_key: 'source',
    frontmatter_value: 'gmail',
    order_by: 'at desc',
    limit: 50,
  };
  expect(await agent.ok('list_instances', { ...args, as_of: null, scenario: null })).toMatchObject({
    instances: [{ page_id: MEETING, skill: 'meeting', at: '2026-04-12T10:00:00+02:00' }],
    next_cursor: null,
  });
});

test('validate takes a null as_page_id, update_page a null base_version', async () => {
  const content = instance('customer', 'new-corp', 'tier: none');
  expect(await agent.ok('validate', { content, as_page_id: null })).toEqual({ ok: true, issues: [] });
  const written = await admin.ok('update_page', { page_id: path('customer', 'new-corp'), content, base_version: null });
  expect(written).toMatchObject({ ok: true, new_version: 'v1', auto_merged: false });
});

test('is_event_typed is derived from at among the required keys', async () => {
  const { skills } = await agent.ok('list_skills');
  const typed = Object.fromEntries(
    skills.map((row: { id: string; is_event_typed: boolean }) => [row.id, row.is_event_typed]),
  );
  expect(typed).toMatchObject({ customer: false, meeting: true });
});

test('an instance acl narrows reads alone; the write verbs fall through to the skill', async () => {
  await write(admin, {
    [skillPath('customer_note')]: skill(
      'customer_note',
      'acl: {read: [public], update: [moderator], create: [moderator]}',
    ),
    [path('customer_note', 'hoffmann-1')]: instance(
      'customer_note',
      'hoffmann-1',
      'acl: {read: [engagement-hoffmann]}',
    ),
    [path('customer_note', 'mueller-1')]: instance('customer_note', 'mueller-1', 'acl: {read: [engagement-mueller]}'),
  });
  const { instances } = await agent.ok('list_instances', { skill_id: 'customer_note' });
  expect(instances.map((row: { page_id: string }) => row.page_id)).toEqual([path('customer_note', 'hoffmann-1')]);
  const content = instance('customer_note', 'hoffmann-1', 'acl: {read: [engagement-hoffmann], update: []}');
  expect(await agent.ok('update_page', { page_id: path('customer_note', 'hoffmann-1'), content })).toMatchObject({
    ok: true,
  });
  expect(await agent.ok('update_page', { page_id: path('customer_note', 'hoffmann-1'), content })).toMatchObject({
    ok: false,
    issues: [{ code: 'forbidden' }],
  });
});

test('the group acl example: everyone reads, owners create, owners and moderators update', async () => {
  const header =
    'owner_field: author\nacl:\n  read: [public]\n  create: [owner]\n  update: [owner, moderator]\n  delete: [admin]';
  await write(admin, { [skillPath('post')]: skill('post', header) });
  const bob = client(cairn.origin, await issuer.token({ sub: 'bob' }));
  const page_id = path('post', 'bobs');
  const post = (author: string, body: string) => instance('post', 'bobs', `author: ${author}`, body);
  const update = (who: Client, content: string) => who.ok('update_page', { page_id, content });
  expect((await update(agent, post('bob', 'x\n'))).ok).toBe(false);
  expect((await update(bob, post('bob', 'x\n'))).ok).toBe(true);
  expect((await update(agent, post('bob', 'moderated\n'))).ok).toBe(true);
  const eve = client(cairn.origin, await issuer.token({ sub: 'eve' }));
  expect((await update(eve, post('eve', 'taken\n'))).ok).toBe(false);
  expect((await eve.ok('expand', { page_id })).body).toBe('moderated\n');
});

test('error.data: the rows that the ground floor can reach', async () => {
  expect(await agent.fails('tenant_get')).toMatchObject({
    code: -32001,
    data: { code: 'admin_required', retryable: false },
  });
  for (const tool of ['tenant_get', 'tenant_update', 'admin_quota']) {
    expect(await admin.fails(tool, { tenant_id: 'another' })).toMatchObject({
      code: -32002,
      data: { code: 'failed_precondition', retryable: false },
    });
  }
  const refusals = [await agent.fails('expand', {}), await agent.fails('resolve', { wikilink: '' })];
  for (const { data } of refusals) expect(data).toMatchObject({ code: 'invalid_params', retryable: false });
});

test('arguments that came as text stand for what the schema says, and text stays text', async () => {
  const search = await agent.ok('search', { q: 'Acme', k: '1', filter: '{"source": "gmail"}' });
  expect(search.hits).toMatchObject([{ page_id: MEETING }]);
  const fused = await agent.ok('search', { queries: '["renewal", "churn"]', k: '5' });
  expect(fused.hits.map((hit: { page_id: string }) => hit.page_id).toSorted()).toEqual([ACME, MEETING]);
  expect((await agent.ok('search', { q: '["Acme"]' })).hits.length).toBeGreaterThan(0);
  expect((await agent.fails('search', { q: 'Acme', k: 'many' })).code).toBe(-32602);
});

test('what tools/list publishes takes what it answers to', async () => {
  const { json } = await admin.rpc('tools/list');
  for (const { name, inputSchema } of json.result.tools) {
    const args = Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map(key => [key, null]));
    const { status, json: answer } = await admin.call(name, args);
    expect([name, status]).toEqual([name, 200]);
    expect([undefined, -32602, -32002]).toContain(answer.error?.code);
  }
});
