import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { instance, path, skill, skillPath, writeInstance, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

/** Files follow a write at the pace of the disk. */
const SOON = { timeout: 20_000 };

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'note');
});
afterAll(() => cairn.stop());

let count = 0;
/** A page that nothing else looks at. */
const fresh = (header = '', body = 'Text\n') => writeInstance(agent, 'note', `n${(count += 1)}`, header, body);
const file = (page_id: string): string => join(cairn.folder, 'data', page_id);
const gone = { page: null };
const refused = (code: string, location: string) => ({
  ok: false,
  issues: [{ severity: 'error', code, location, message: expect.any(String) }],
});
const onDisk = async (page_id: string, text: string): Promise<void> => {
  await expect.poll(() => existsSync(file(page_id)) && readFileSync(file(page_id), 'utf8'), SOON).toContain(text);
};

test('E431 E106 delete archives: rows and links are gone, the file stays and says so, its body byte for byte', async () => {
  const target = await fresh();
  const body = 'To [[note::n1]]\r\nand a\ttab  \n';
  const page_id = await fresh('# a remark\nnumbers: [1, 2.50]', body);
  expect(await agent.ok('delete_page', { page_id })).toEqual({ ok: true, issues: [], page_id });
  expect(await agent.ok('expand', { page_id })).toEqual(gone);
  expect((await agent.ok('neighbours', { page_id: target })).edges).toEqual([]);
  expect((await agent.ok('search', { q: 'remark tab' })).hits).toEqual([]);
  await onDisk(page_id, 'archived: true');
  expect(readFileSync(file(page_id), 'utf8').endsWith(`\n---\n${body}`)).toBe(true);
});

test('E432 E433 an absent and an archived page are not_found', async () => {
  expect(await agent.ok('delete_page', { page_id: path('note', 'never') })).toEqual(refused('not_found', 'page_id'));
  const page_id = await fresh();
  await agent.ok('delete_page', { page_id });
  expect(await agent.ok('delete_page', { page_id })).toEqual(refused('not_found', 'page_id'));
});

test('E434 E435 a stale base_version is a conflict without content, never an unknown of versions', async () => {
  const page_id = await fresh();
  await agent.ok('update_page', { page_id, content: instance('note', 'again') });
  expect(await agent.ok('delete_page', { page_id, base_version: 'v1' })).toEqual(refused('conflict', 'base_version'));
  expect(await agent.ok('delete_page', { page_id, base_version: 'v2' })).toMatchObject({ ok: true });
});

test('E436 a write brings an archived page back without its mark', async () => {
  const page_id = await fresh();
  await agent.ok('delete_page', { page_id });
  await agent.ok('update_page', { page_id, content: instance('note', 'back') });
  const { frontmatter } = await agent.ok('expand', { page_id });
  expect(frontmatter).toEqual({ type: 'instance', skill: 'note', id: 'back' });
});

test('E437 E441 a move leaves no file behind, the text is the same, no writer is named and the past comes along', async () => {
  const from = await fresh('key: 1', 'Same bytes\r\n');
  await onDisk(from, 'Same bytes');
  const before = await agent.ok('expand', { page_id: from });
  const to = path('note', `moved-${count}`);
  expect(await agent.ok('move_page', { from, to })).toEqual({ ok: true, issues: [], from, to });
  const after = await agent.ok('expand', { page_id: to });
  expect(after.content_sha256).toBe(before.content_sha256);
  expect(after.page).toEqual({ ...before.page, page_id: to, last_written_by: null });
  expect(await agent.ok('expand', { page_id: from })).toEqual(gone);
  expect(await agent.ok('list_snapshots', { page_id: from })).toEqual({ snapshots: [] });
  expect((await agent.ok('list_snapshots', { page_id: to })).snapshots).toHaveLength(2);
  await onDisk(to, 'Same bytes');
  await expect.poll(() => existsSync(file(from)), SOON).toBe(false);
});

test.each([
  ['from_page_id', 'to_page_id'],
  ['from_page', 'to_page'],
])('E438 %s and %s', async (from, to) => {
  const page_id = await fresh();
  const target = path('note', `alias-${count}`);
  expect(await agent.ok('move_page', { [from]: page_id, [to]: target })).toEqual({
    ok: true,
    issues: [],
    from: page_id,
    to: target,
  });
});

test('E439 nothing to move', async () => {
  const page_id = await fresh();
  for (const from of [path('note', 'never'), page_id])
    expect(await agent.ok('move_page', { from, to: page_id })).toEqual(refused('not_found', 'from'));
});

test('E440 a live page at the target is in the way, an archived one is not', async () => {
  const [from, to] = [await fresh('', 'Mover\n'), await fresh()];
  expect(await agent.ok('move_page', { from, to })).toEqual(refused('conflict', 'to'));
  await agent.ok('delete_page', { page_id: to });
  expect(await agent.ok('move_page', { from, to })).toMatchObject({ ok: true });
  expect((await agent.ok('expand', { page_id: to })).body).toBe('Mover\n');
});

test('E443 E444 E445 purge is for admins and archived pages, and for good', async () => {
  const page_id = await fresh();
  await onDisk(page_id, 'Text');
  expect(await agent.fails('purge_page', { page_id })).toMatchObject({
    code: -32001,
    data: { code: 'admin_required' },
  });
  expect(await admin.ok('purge_page', { page_id })).toEqual(refused('not_archived', 'page_id'));
  await agent.ok('delete_page', { page_id });
  expect(await admin.ok('purge_page', { page_id })).toEqual({ ok: true, issues: [], page_id });
  await expect.poll(() => existsSync(file(page_id)), SOON).toBe(false);
  expect(await admin.ok('purge_page', { page_id })).toEqual(refused('not_found', 'page_id'));
});

test('E186 the meta-skill is neither deleted, purged nor moved, nor moved over', async () => {
  const meta = skillPath('escurel');
  const answer = { ok: false, issues: [{ code: 'meta_skill_protected', location: 'frontmatter' }] };
  expect(await admin.ok('delete_page', { page_id: meta })).toMatchObject(answer);
  expect(await admin.ok('purge_page', { page_id: meta })).toMatchObject(answer);
  expect(await admin.ok('move_page', { from: meta, to: 'markdown/elsewhere.md' })).toMatchObject(answer);
  expect(await admin.ok('move_page', { from: skillPath('note'), to: meta })).toMatchObject(answer);
});

test('E373 E381 versions are kept everywhere: no write answers v1 twice, and none lacks its versions', async () => {
  const page_id = await fresh();
  const content = instance('note', 'second');
  expect(await agent.ok('update_page', { page_id, content, base_version: 'v1' })).toMatchObject({
    ok: true,
    new_version: 'v2',
  });
  expect(await agent.ok('update_page', { page_id, content })).toMatchObject({ ok: true, new_version: 'v3' });
});

test('E371 the gates speak in their order, the arguments first and the findings last', async () => {
  await writeSkill(admin, 'outside', 'backend: {kind: openapi}');
  const page_id = await fresh();
  const [stale, hash] = [{ base_version: 'v9' }, { base_sha256: 'none' }];
  const code = async (content: string, args: object, who = agent) =>
    (await who.ok('update_page', { page_id, content, ...args })).issues[0].location;
  const everything = 'layer: base@p@v1\npromotable: true';
  const dangling = '[[no-such-skill::x]]';
  expect(await agent.fails('update_page', { page_id, content: '', require_exact_base: true })).toMatchObject({
    code: -32602,
  });
  expect(await code(instance('outside', 'x', everything, dangling), stale)).toBe('frontmatter.backend_ref');
  expect(await code(instance('note', 'x', everything, dangling), stale)).toBe('frontmatter.layer');
  expect(await code(instance('note', 'x', 'promotable: true', dangling), { ...stale, ...hash })).toBe(
    'frontmatter.promotable',
  );
  expect(await code(instance('note', 'x', '', dangling), { ...stale, ...hash })).toBe('base_sha256');
  expect(await code(instance('note', 'x', '', dangling), stale)).toBe('base_version');
  expect(await code(instance('note', 'x', '', dangling), {})).toMatch(/^line:\d+ col:\d+$/);
  expect(await code(skill('x', 'promotable: true'), {}, agent)).toBe('frontmatter.promotable');
});
