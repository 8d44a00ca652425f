import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ROOMY, startCairn, startIn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { instance, page, path, skill, skillPath, write, writeInstance, writeSkill } from './page.ts';

let issuer: TestIssuer;
let cairn: Cairn;
let admin: Client;
const as = async (sub: string, ...roles: string[]): Promise<Client> =>
  client(cairn.origin, await issuer.token({ sub, roles }));
beforeAll(async () => {
  issuer = await startIssuer();
  cairn = await startCairn({ CAIRN_AUTH_OIDC_ISSUER: issuer.issuer, ESCUREL_WRITE_ACL: 'enforce' }, ROOMY);
  admin = await as('root', 'escurel:admin');
  await writeSkill(admin, 'open');
  await writeSkill(admin, 'team', 'acl: {read: [public], create: [red], update: [red], delete: [blue]}');
  await writeSkill(admin, 'editable', 'acl: {update: [blue], create: [blue]}');
  await writeSkill(admin, 'post', 'owner_field: author\nacl: {read: [public], create: [owner], update: [owner]}');
});
afterAll(async () => {
  await cairn.stop();
  await issuer.stop();
});

const FORBIDDEN = { ok: false, issues: [{ severity: 'error', code: 'forbidden', location: 'frontmatter' }] };
const WRITTEN = { ok: true };
const update = (who: Client, page_id: string, content: string, args: object = {}) =>
  who.ok('update_page', { page_id, content, ...args });
const bodyOf = async (page_id: string) => (await admin.ok('expand', { page_id })).body;

test('E390 a write that is not allowed is refused, and nothing is written', async () => {
  const page_id = await writeInstance(admin, 'team', 'one', '', 'before\n');
  const bob = await as('bob', 'blue');
  expect(await update(bob, page_id, instance('team', 'one', '', 'after\n'))).toMatchObject(FORBIDDEN);
  expect(await bodyOf(page_id)).toBe('before\n');
  expect(await update(await as('ann', 'red'), page_id, instance('team', 'one', '', 'after\n'))).toMatchObject(WRITTEN);
});

test('E419 skill pages are open to everybody’s writing', async () => {
  const ann = await as('ann');
  expect(await update(ann, skillPath('anns'), skill('anns'))).toMatchObject(WRITTEN);
  expect(await update(ann, skillPath('anns'), skill('anns', 'description: mine'))).toMatchObject(WRITTEN);
});

test('[PG74] what a skill rules about access is for admins to change, replace or take away', async () => {
  await writeSkill(
    admin,
    'vault',
    'description: old\nowner_field: author\nacl: {read: [red], update: [red], create: [red]}',
  );
  const page_id = await writeInstance(admin, 'vault', 'gold', 'author: root', 'Geheimnis\n');
  const bob = await as('bob', 'blue');
  const acl = 'owner_field: author\nacl: {create: [red], read: [red], update: [red]}';
  for (const [to, content] of [
    [skillPath('vault'), skill('vault', 'acl: {read: [public], update: [public]}')],
    [skillPath('vault'), skill('vault')],
    [skillPath('vault'), skill('vault', `${acl}\nvisibility: owner`)],
    [skillPath('vault'), skill('vault', acl.replace('author', 'id'))],
    [skillPath('vault'), skill('emptied', acl)],
    [skillPath('vault'), skill('vault', `${acl}\nscenario: dream`)],
    [skillPath('vault'), instance('editable', 'vault')],
    [skillPath('vault'), page('type: skill')],
    ['aaa/vault.md', skill('vault', 'acl: {read: [public]}')],
    ['zzz/vault.md', skill('vault', 'visibility: public')],
    ['aaa/meta.md', skill('escurel', 'acl_defaults: {read: [public], create: [public], update: [public]}')],
  ] as const)
    expect(await update(bob, to, content)).toMatchObject({ ok: false });
  const meta = await admin.ok('expand', { page_id: skillPath('escurel') });
  const opened = { ...meta.frontmatter, acl_defaults: { read: ['public'], update: ['public'] } };
  const content = `---\n${JSON.stringify(opened)}\n---\n${meta.body}`;
  expect(await update(bob, skillPath('escurel'), content)).toMatchObject(FORBIDDEN);
  expect(await bob.ok('expand', { page_id })).toEqual({ page: null });
  expect(await update(bob, skillPath('vault'), skill('vault', `description: new\n${acl}`))).toMatchObject(WRITTEN);
});

test('[PG74] a skill that is new rules freely, unless it would rule over what is there', async () => {
  const bob = await as('bob', 'blue');
  expect(await update(bob, skillPath('bobs'), skill('bobs', 'acl: {read: [blue], create: [blue]}'))).toMatchObject(
    WRITTEN,
  );
  await writeInstance(admin, 'unruled', 'one');
  expect(await update(bob, skillPath('unruled'), skill('unruled', 'acl: {update: [public]}'))).toMatchObject(FORBIDDEN);
  expect(await update(bob, skillPath('unruled'), skill('unruled'))).toMatchObject(WRITTEN);
});

test('E420 the stored page decides about an update: its acl, its owner', async () => {
  const page_id = await writeInstance(admin, 'team', 'narrow', 'acl: {update: [blue]}', 'x\n');
  const ann = await as('ann', 'red');
  expect(await update(ann, page_id, instance('team', 'narrow', 'acl: {update: [red]}'))).toMatchObject(FORBIDDEN);
  expect(await update(await as('bob', 'blue'), page_id, instance('team', 'narrow'))).toMatchObject(WRITTEN);
  const post = await writeInstance(admin, 'post', 'bobs', 'author: bob');
  expect(await update(ann, post, instance('post', 'bobs', 'author: ann'))).toMatchObject(FORBIDDEN);
  expect(await update(await as('bob'), post, instance('post', 'bobs', 'author: bob', 'mine\n'))).toMatchObject(WRITTEN);
});

test('E421 E422 a create is decided by the skill, the owner taken from the draft, its acl block not looked at', async () => {
  const bob = await as('bob', 'blue');
  const draft = instance('team', 'new', 'acl: {create: [blue], update: [blue]}');
  expect(await update(bob, path('team', 'new'), draft)).toMatchObject(FORBIDDEN);
  expect(await update(await as('ann', 'red'), path('team', 'new'), draft)).toMatchObject(WRITTEN);
  expect(await update(bob, path('post', 'mine'), instance('post', 'mine', 'author: bob'))).toMatchObject(WRITTEN);
});

test('E423 a create may not name another owner', async () => {
  const bob = await as('bob');
  expect(await update(bob, path('post', 'anns'), instance('post', 'anns', 'author: ann'))).toMatchObject(FORBIDDEN);
  expect(await update(bob, path('post', 'nobodys'), instance('post', 'nobodys'))).toMatchObject(FORBIDDEN);
});

test('E424 a page without an owner may be claimed', async () => {
  const page_id = await writeInstance(admin, 'post', 'orphan');
  const bob = await as('bob');
  expect(await update(bob, page_id, instance('post', 'orphan', 'author: ann'))).toMatchObject(FORBIDDEN);
  expect(await update(bob, page_id, instance('post', 'orphan', 'author: bob'))).toMatchObject(WRITTEN);
});

test('E425 without any rule writes are for admins', async () => {
  const bob = await as('bob', 'blue');
  expect(await update(bob, path('open', 'x'), instance('open', 'x'))).toMatchObject(FORBIDDEN);
  expect(await update(bob, path('unknown', 'x'), instance('unknown', 'x'))).toMatchObject({ ok: false });
  expect(await update(admin, path('open', 'x'), instance('open', 'x'))).toMatchObject(WRITTEN);
});

test('E426 to delete is to update: the verb delete is never asked', async () => {
  const page_id = await writeInstance(admin, 'team', 'leaves');
  expect(await (await as('bob', 'blue')).ok('delete_page', { page_id })).toMatchObject(FORBIDDEN);
  expect(await (await as('ann', 'red')).ok('delete_page', { page_id })).toMatchObject(WRITTEN);
});

test('[PG74] a skill that rules is not anybody’s to delete or to move', async () => {
  await writeSkill(admin, 'rules', 'acl: {read: [red], update: [public], create: [public]}');
  const bob = await as('bob', 'blue');
  expect(await bob.ok('delete_page', { page_id: skillPath('rules') })).toMatchObject(FORBIDDEN);
  expect(await bob.ok('move_page', { from: skillPath('rules'), to: 'aaa/rules.md' })).toMatchObject(FORBIDDEN);
});

test('E427 E370 an unreadable draft of somebody who may not write tells no more than that', async () => {
  const page_id = await writeInstance(admin, 'team', 'readable');
  const bob = await as('bob', 'blue');
  const { ok, issues } = await update(bob, page_id, 'no header');
  expect([ok, issues.length]).toEqual([false, 1]);
  expect(await bodyOf(page_id)).toBe('# readable\n');
});

test('the skill that a draft names is no way round the right on the stored page', async () => {
  const page_id = await writeInstance(admin, 'team', 'guarded', '', 'before\n');
  const bob = await as('bob', 'blue');
  for (const draft of [
    instance('editable', 'guarded', '', 'after\n'),
    page('type: skill\nid: guarded', 'after\n'),
    instance('editable', 'guarded', 'scenario: dream', 'after\n'),
    instance('team', 'guarded', 'scenario: dream', 'after\n'),
    page('type: instance\nid: guarded', 'after\n'),
  ])
    expect(await update(bob, page_id, draft)).toMatchObject({ ok: false });
  expect(await bodyOf(page_id)).toBe('before\n');
});

test('an overlay of a page, or a second page of its slug, needs the right on that page', async () => {
  await writeInstance(admin, 'editable', 'kept', 'acl: {update: []}', 'before\n');
  const bob = await as('bob', 'blue');
  const twin = instance('editable', 'kept', 'scenario: dream', 'after\n');
  expect(await update(bob, path('editable', 'kept-dream'), twin)).toMatchObject(FORBIDDEN);
  const second = instance('editable', 'kept', '', 'after\n');
  expect(await update(bob, 'aaa/kept.md', second)).toMatchObject(FORBIDDEN);
});

test('a change of skill needs the right on both', async () => {
  const page_id = await writeInstance(admin, 'editable', 'wanders', 'acl: {update: [blue]}');
  const bob = await as('bob', 'blue');
  expect(await update(bob, page_id, instance('team', 'wanders'))).toMatchObject(FORBIDDEN);
  const both = await as('eve', 'blue', 'red');
  expect(await update(both, page_id, instance('team', 'wanders'))).toMatchObject(WRITTEN);
});

test('a hidden page answers a write like any page that may not be written', async () => {
  await writeSkill(admin, 'diary', 'visibility: owner\nowner_field: author');
  const page_id = await writeInstance(admin, 'diary', 'secret', 'author: ann', 'Sternwarte\n');
  const bob = await as('bob', 'blue');
  const draft = (id: string) => instance('diary', id, 'author: ann', 'mine\n');
  const guards = [{}, { base_version: 'v1' }, { base_sha256: '' }, { if_absent: true }, { base_version: 'v7' }];
  for (const guard of guards) {
    const hidden = await update(bob, page_id, draft('secret'), guard);
    const missing = await update(bob, path('diary', 'missing'), draft('missing'), guard);
    expect(JSON.stringify(hidden).replaceAll('secret', 'missing')).toBe(JSON.stringify(missing));
    expect(JSON.stringify(hidden)).not.toContain('Sternwarte');
  }
});

test('E418 E391 log writes and warns, off and unknown words write', async () => {
  const other = await startCairn({ CAIRN_AUTH_OIDC_ISSUER: issuer.issuer, GROUNDNOTE_WRITE_ACL: 'log' }, ROOMY);
  let again = other;
  try {
    const root = client(other.origin, await issuer.token({ sub: 'root', roles: ['escurel:admin'] }));
    await write(root, { [skillPath('team')]: skill('team', 'acl: {update: [], create: []}') });
    const bob = client(other.origin, await issuer.token({ sub: 'bob' }));
    expect(await update(bob, path('team', 'x'), instance('team', 'x'))).toEqual({
      ok: true,
      issues: [],
      new_version: 'v1',
      auto_merged: false,
    });
    const warned = await other.logged(
      ({ level, ...line }) => level === 'warn' && JSON.stringify(line).includes(path('team', 'x')),
    );
    expect(JSON.stringify(warned)).toContain('bob');
    await other.end();
    again = await startIn(other.folder, { CAIRN_AUTH_OIDC_ISSUER: issuer.issuer, ESCUREL_WRITE_ACL: 'enforced' });
    const still = client(again.origin, await issuer.token({ sub: 'bob' }));
    expect(await update(still, path('team', 'x'), instance('team', 'x', '', 'y\n'))).toMatchObject({
      new_version: 'v2',
    });
    expect(again.log().some(({ level, msg }) => level === 'warn' && /WRITE_ACL/.test(String(msg)))).toBe(true);
  } finally {
    await again.stop();
  }
});
