import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { path, skillPath, writeInstance, writeSkill } from './page.ts';

let issuer: TestIssuer;
let cairn: Cairn;
let admin: Client;
const as = async (sub: string, ...roles: string[]): Promise<Client> =>
  client(cairn.origin, await issuer.token({ sub, roles }));
beforeAll(async () => {
  issuer = await startIssuer();
  cairn = await startCairn({ CAIRN_AUTH_OIDC_ISSUER: issuer.issuer }, ROOMY);
  admin = await as('root', 'escurel:admin');
  await writeSkill(admin, 'member');
  await writeInstance(admin, 'member', 'bob-card', 'credential: bob');
  await writeSkill(admin, 'open');
  await writeSkill(admin, 'team', 'acl: {read: [red]}');
  await writeSkill(admin, 'diary', 'visibility: owner\nowner_field: author');
  await writeSkill(admin, 'mixed', 'owner_field: author\nacl: {read: [owner, red]}');
  await writeSkill(admin, 'ownerless', 'acl: {read: [owner]}');
  await writeSkill(admin, 'writers', 'acl: {update: [red]}');
});
afterAll(async () => {
  await cairn.stop();
  await issuer.stop();
});

let count = 0;
/** Writes an instance with this header and says who of ann (red), bob (blue) and root may expand it. */
async function readers(of: string, header = ''): Promise<string> {
  const page_id = await writeInstance(admin, of, `page-${(count += 1)}`, header);
  const names = [];
  for (const [name, who] of [
    ['ann', await as('ann', 'red')],
    ['bob', await as('bob', 'blue')],
    ['root', admin],
  ] as const) {
    const answer = await who.ok('expand', { page_id });
    if (answer.page !== null) names.push(name);
  }
  return names.join(' ');
}

test('E397 E417 the most specific block that names the verb decides: instance, skill, tenant default', async () => {
  expect(await readers('open')).toBe('ann bob root');
  expect(await readers('open', 'acl: {read: [red]}')).toBe('ann root');
  expect(await readers('team')).toBe('ann root');
  expect(await readers('team', 'acl: {read: [blue]}')).toBe('bob root');
  expect(await readers('team', 'acl: {read: [public]}')).toBe('ann bob root');
  expect(await readers('team', 'acl: {update: [blue]}')).toBe('ann root');
  expect(await readers('writers')).toBe('ann bob root');
});

test('E398 an empty list lets in admins only', async () => {
  expect(await readers('open', 'acl: {read: []}')).toBe('root');
});

test('E399 E400 owner is whom the owner field names, directly or by a link to a page with their credential', async () => {
  expect(await readers('diary', 'author: ann')).toBe('ann root');
  expect(await readers('diary', 'author: "[[member::bob-card]]"')).toBe('bob root');
  expect(await readers('diary', 'author: [[member::bob-card]]')).toBe('bob root');
  expect(await readers('mixed', 'author: bob')).toBe('ann bob root');
});

test('E401 nobody owns a page without an owner', async () => {
  for (const header of ['', 'author:', 'author: ""', 'author: "[[member::nobody]]"', 'author: [ann]', 'author: 7'])
    expect(await readers('diary', header)).toBe('root');
  expect(await readers('ownerless', 'author: ann')).toBe('root');
});

test('E402 a bare link as owner is its own text', async () => {
  await writeInstance(admin, 'member', 'ann', 'credential: ann');
  expect(await readers('diary', 'author: "[[ann]]"')).toBe('root');
});

test('E403 admin in a list lets in nobody else', async () => {
  expect(await readers('open', 'acl: {read: [admin]}')).toBe('root');
});

test('E404 an unknown skill leaves the tenant default', async () => {
  expect(await readers('unheard-of')).toBe('ann bob root');
});

test('E416 a membership counts from the next call on, and ends with it', async () => {
  const page_id = await writeInstance(admin, 'open', 'club', 'acl: {read: [club]}');
  const ann = await as('ann');
  expect(await ann.ok('expand', { page_id })).toEqual({ page: null });
  expect(await admin.ok('add_group_member', { group_id: 'club', subject: 'ann' })).toEqual({ ok: true });
  expect((await ann.ok('expand', { page_id })).page).not.toBeNull();
  await admin.ok('remove_group_member', { group_id: 'club', subject: 'ann' });
  expect(await ann.ok('expand', { page_id })).toEqual({ page: null });
});

test('E428 E429 E430 membership rows', async () => {
  const chief = await as('chief', 'escurel:admin');
  await admin.ok('add_group_member', { group_id: 'crew', subject: 'zoe' });
  await admin.ok('add_group_member', { group_id: 'crew', subject: 'adam' });
  const before = (await admin.ok('list_group_members', { group_id: 'crew' })).members;
  expect(before).toEqual([
    {
      group_id: 'crew',
      subject: 'zoe',
      added_by: 'root',
      added_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/),
    },
    expect.objectContaining({ subject: 'adam' }),
  ]);
  await chief.ok('add_group_member', { group_id: 'crew', subject: 'zoe' });
  const [zoe] = (await admin.ok('list_group_members', { group_id: 'crew' })).members;
  expect(zoe).toEqual({ ...before[0], added_by: 'chief' });
  for (let at = 0; at < 2; at += 1) {
    expect(await admin.ok('remove_group_member', { group_id: 'crew', subject: 'zoe' })).toEqual({ ok: true });
  }
});

test('E051 reserved groups cannot be given by a row', async () => {
  for (const group_id of ['public', 'owner', 'admin']) {
    const { json } = await admin.call('add_group_member', { group_id, subject: 'ann' });
    expect(json.result?.structuredContent.ok ?? false).toBe(false);
  }
  expect(await readers('open', 'acl: {read: [admin, owner]}')).toBe('root');
});

test('E405 E406 E407 a hidden page is absent everywhere', async () => {
  const page_id = await writeInstance(admin, 'diary', 'absent', 'author: bob', 'Sternwarte [[open::target]]\n');
  const target = await writeInstance(admin, 'open', 'target', '', '[[diary::absent]]\n');
  const ann = await as('ann', 'red');
  expect(await ann.ok('expand', { page_id })).toEqual({ page: null });
  expect(await ann.ok('resolve', { wikilink: '[[diary::absent]]' })).toMatchObject({ page: null, exists: false });
  expect(await ann.ok('list_instances', { skill_id: 'diary' })).toMatchObject({ next_cursor: null });
  const seen = JSON.stringify([
    (await ann.ok('list_instances', { skill_id: 'diary' })).instances.map((row: { page_id: string }) => row.page_id),
    await ann.ok('search', { q: 'Sternwarte' }),
    await ann.ok('search', { queries: ['Sternwarte', '[[open::target]]'], granularity: 'page' }),
    await ann.ok('search', { q: 'Sternwarte', page_id }),
    await ann.ok('neighbours', { page_id }),
    await ann.ok('neighbours', { page_id: target }),
  ]);
  expect(seen).not.toContain(page_id);
  expect(seen).not.toContain('Sternwarte');
});

test('E409 the history of a hidden page is that of a missing one', async () => {
  const page_id = await writeInstance(admin, 'diary', 'past', 'author: bob');
  const ann = await as('ann');
  expect(await ann.ok('list_snapshots', { page_id })).toEqual({ snapshots: [] });
  expect(await ann.ok('list_snapshots', { page_id: path('diary', 'never') })).toEqual({ snapshots: [] });
  expect((await admin.ok('list_snapshots', { page_id })).snapshots).toHaveLength(1);
});

test('E198 skill pages are never gated on reading, their acl is for admins to see', async () => {
  const bob = await as('bob');
  expect((await bob.ok('expand', { page_id: skillPath('team') })).page).not.toBeNull();
  expect((await bob.ok('list_skills')).skills.map(({ id }: { id: string }) => id)).not.toContain('team');
});

test('E405 E406 E407 the overlay of a hidden page is hidden, and hides what it replaces', async () => {
  const page_id = await writeInstance(admin, 'open', 'two-faced', '', 'base\n');
  const twin = path('open', 'two-faced-dream');
  const content = '---\ntype: instance\nskill: open\nid: two-faced\nscenario: dream\nacl: {read: [red]}\n---\ntwin\n';
  await admin.ok('update_page', { page_id: twin, content });
  const bob = await as('bob', 'blue');
  expect((await bob.ok('expand', { page_id })).body).toBe('base\n');
  expect(await bob.ok('expand', { page_id: twin, scenario: 'dream' })).toEqual({ page: null });
  expect((await (await as('ann', 'red')).ok('expand', { page_id, scenario: 'dream' })).body).toBe('twin\n');
});
