import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
let bob: Caller;
const note = (id: string): string => `markdown/instances/note/${id}.md`;
const mine = (id: string): string => `markdown/instances/mine/${id}.md`;
const refusals = (payload: { ok: boolean; issues: { code: string; location: string }[] }) => {
  expect(payload.ok).toBe(false);
  return payload.issues.map(issue => [issue.code, issue.location]);
};
const text = (id: string, body = 'Some words.\n', more = {}): string => instancePage('note', id, more, body);
const hits = async (q: string): Promise<string[]> =>
  (await w.admin.call('search', { q, granularity: 'page' })).hits.map((hit: { page_id: string }) => hit.page_id);

beforeAll(async () => {
  w = await world({ CAIRN_WRITE_ACL: 'enforce' });
  ann = await w.as({ sub: 'ann', groups: ['team'] });
  bob = await w.as({ sub: 'bob' });
  const team = { read: ['public'], create: ['team'], update: ['team'] };
  await w.put({
    'markdown/skills/note.md': skillPage('note', { acl: team }),
    'markdown/skills/mine.md': skillPage('mine', { visibility: 'owner', owner_field: 'by' }),
    'markdown/skills/plain.md': skillPage('plain'),
  });
});
afterAll(() => w.end());

describe('delete_page', () => {
  test('[PG100] archives: nothing finds the page, its file stays and says so', async () => {
    await w.put({
      [note('a')]: text('a', 'Quetschventil [[note::b]].\n'),
      [note('b')]: text('b', 'See [[note::a]].\n'),
    });
    expect(await hits('Quetschventil')).toEqual([note('a')]);
    expect(await ann.call('delete_page', { page_id: note('a') })).toEqual({ ok: true, issues: [], page_id: note('a') });
    expect(await ann.call('expand', { page_id: note('a') })).toEqual({ page: null });
    expect((await ann.call('resolve', { wikilink: '[[note::a]]' })).exists).toBe(false);
    expect(await hits('Quetschventil')).toEqual([]);
    const { edges } = await ann.call('neighbours', { page_id: note('b') });
    expect(edges.map((edge: { dst_exists: boolean; src_page: string }) => [edge.src_page, edge.dst_exists])).toEqual([
      [note('b'), false],
    ]);
    const { issues } = await ann.call('validate', { content: text('c', '[[note::a]]\n') });
    expect(issues).toMatchObject([{ code: 'dangling_wikilink' }]);
    await w.settled();
    const file = readFileSync(join(w.dataDir, note('a')), 'utf8');
    expect(file).toContain('\narchived: true\n---\nQuetschventil');
    await w.restart();
    expect(await ann.call('expand', { page_id: note('a') })).toEqual({ page: null });
  });

  test('[PG101] absent, archived and hidden pages are not found', async () => {
    await w.put({
      [note('twice')]: text('twice'),
      [mine('secret')]: instancePage('mine', 'secret', { by: 'ann' }),
    });
    expect((await ann.call('delete_page', { page_id: note('twice') })).ok).toBe(true);
    for (const page_id of [note('twice'), note('never'), mine('secret')]) {
      expect(refusals(await bob.call('delete_page', { page_id }))).toEqual([['not_found', 'page_id']]);
    }
    expect(refusals(await w.admin.call('delete_page', { page_id: note('twice') }))).toEqual([['not_found', 'page_id']]);
    expect((await ann.call('delete_page', { page_id: mine('secret') })).ok).toBe(true);
  });

  test('[PG101] a stale base is a conflict without content', async () => {
    await w.put({ [note('based')]: text('based') });
    await w.put({ [note('based')]: text('based', 'Two.\n') });
    const stale = await ann.call('delete_page', { page_id: note('based'), base_version: 'v1' });
    expect(refusals(stale)).toEqual([['conflict', 'base_version']]);
    expect(stale).not.toHaveProperty('head_content');
    expect((await ann.call('delete_page', { page_id: note('based'), base_version: 'v2' })).ok).toBe(true);
  });

  test('[PG102] a write revives the page as its next version', async () => {
    const page_id = note('phoenix');
    await w.put({ [page_id]: text('phoenix', 'Before.\n') });
    await ann.call('delete_page', { page_id });
    const again = await ann.call('update_page', { page_id, content: text('phoenix', 'Kugelhahn.\n') });
    expect([again.ok, again.new_version]).toEqual([true, 'v3']);
    expect((await ann.call('expand', { page_id })).frontmatter).not.toHaveProperty('archived');
    expect(await hits('Kugelhahn')).toEqual([page_id]);
  });

  test('[PG106] guards: rights, packs, the meta-skill, skills that rule', async () => {
    await w.put({ [note('kept')]: text('kept') });
    const refused = async (who: Caller, page_id: string) => refusals(await who.call('delete_page', { page_id }));
    expect(await refused(bob, note('kept'))).toEqual([['forbidden', 'frontmatter']]);
    expect(await refused(w.admin, 'markdown/skills/escurel.md')).toEqual([['meta_skill_protected', 'frontmatter']]);
    expect(await refused(ann, 'markdown/skills/note.md')).toEqual([['forbidden', 'frontmatter']]);
    expect((await bob.call('delete_page', { page_id: 'markdown/skills/plain.md' })).ok).toBe(true);
  });
});

describe('purge_page', () => {
  const page_id = note('purged');
  test('[PG103] live pages are refused, archived ones go with their history', async () => {
    await w.put({ [page_id]: text('purged', 'Secret.\n') });
    expect(refusals(await w.admin.call('purge_page', { page_id }))).toEqual([['not_archived', 'page_id']]);
    await ann.call('delete_page', { page_id });
    expect(await w.admin.call('purge_page', { page_id })).toEqual({ ok: true, issues: [], page_id });
    expect(refusals(await w.admin.call('purge_page', { page_id }))).toEqual([['not_found', 'page_id']]);
    await w.settled();
    expect(existsSync(join(w.dataDir, page_id))).toBe(false);
    await w.restart();
    await w.settled();
    expect(existsSync(join(w.dataDir, page_id))).toBe(false);
    const anew = await ann.call('update_page', { page_id, content: text('purged') });
    expect(anew.new_version).toBe('v1');
  });

  test('[PG103] agents may not', async () => {
    expect((await ann.fails('purge_page', { page_id })).code).toBe(-32001);
  });

  test('[PG106] the meta-skill stays', async () => {
    const meta = 'markdown/skills/escurel.md';
    expect(refusals(await w.admin.call('purge_page', { page_id: meta }))).toEqual([
      ['meta_skill_protected', 'frontmatter'],
    ]);
  });
});

describe('move_page', () => {
  test('[PG104] only the id changes', async () => {
    const [from, to] = [note('old'), 'other/place.md'];
    await w.put({ [from]: text('old', 'One.\n') });
    await w.put({ [from]: text('old', 'Ritzel [[note::old]].\n') });
    const before = await ann.call('expand', { page_id: from });
    expect(await ann.call('move_page', { from, to })).toEqual({ ok: true, issues: [], from, to });
    expect(await ann.call('expand', { page_id: from })).toEqual({ page: null });
    const after = await ann.call('expand', { page_id: to });
    expect(after).toEqual({ ...before, page: { ...before.page, page_id: to, last_written_by: null }, version: 'v3' });
    expect((await ann.call('resolve', { wikilink: '[[note::old]]' })).page.page_id).toBe(to);
    expect(await hits('Ritzel')).toEqual([to]);
    await w.settled();
    expect(existsSync(join(w.dataDir, from))).toBe(false);
    await w.restart();
    expect((await ann.call('expand', { page_id: to })).body).toBe('Ritzel [[note::old]].\n');
    expect((await ann.call('update_page', { page_id: from, content: text('other') })).new_version).toBe('v1');
  });

  test.each([
    ['from_page_id', 'to_page_id'],
    ['from_page', 'to_page'],
  ])('[PG104] %s and %s are names for from and to', async (a, b) => {
    const [from, to] = [note(a), note(b)];
    await w.put({ [from]: text(a) });
    expect(await ann.call('move_page', { [a]: from, [b]: to })).toEqual({ ok: true, issues: [], from, to });
  });

  test('[PG104] an archived page at the target becomes older history', async () => {
    const [from, to] = [note('mover'), note('husk')];
    await w.put({ [from]: text('mover', 'Moved.\n'), [to]: text('husk') });
    await ann.call('delete_page', { page_id: to });
    expect((await ann.call('move_page', { from, to })).ok).toBe(true);
    expect(await ann.call('expand', { page_id: to })).toMatchObject({ body: 'Moved.\n', version: 'v4' });
  });

  test('[PG105] no page to move, and a live page in the way', async () => {
    await w.put({ [note('here')]: text('here'), [note('there')]: text('there') });
    await w.put({ [mine('hid')]: instancePage('mine', 'hid', { by: 'ann' }) });
    const refused = async (who: Caller, from: string, to: string) =>
      refusals(await who.call('move_page', { from, to }));
    expect(await refused(ann, note('nowhere'), note('x'))).toEqual([['not_found', 'from']]);
    expect(await refused(ann, note('here'), note('here'))).toEqual([['not_found', 'from']]);
    expect(await refused(bob, mine('hid'), note('x'))).toEqual([['not_found', 'from']]);
    expect(await refused(ann, note('here'), note('there'))).toEqual([['conflict', 'to']]);
    expect(await refused(ann, note('here'), `${note('there')}/below`)).toEqual([['page_id_conflict', 'to']]);
    expect((await ann.fails('move_page', { from: note('here'), to: '../x' })).code).toBe(-32602);
  });

  test('[PG106] guards: rights on both ends, packs, the meta-skill', async () => {
    await w.put({ [note('guarded')]: text('guarded'), [mine('gone')]: instancePage('mine', 'gone', { by: 'carl' }) });
    await w.admin.call('delete_page', { page_id: mine('gone') });
    const refused = async (who: Caller, from: string, to: string) =>
      refusals(await who.call('move_page', { from, to }));
    expect(await refused(bob, note('guarded'), note('x'))).toEqual([['forbidden', 'frontmatter']]);
    expect(await refused(ann, note('guarded'), mine('gone'))).toEqual([['forbidden', 'frontmatter']]);
    expect(await refused(w.admin, note('guarded'), 'markdown/base/p/x.md')).toEqual([
      ['layer_read_only', 'frontmatter'],
    ]);
    expect(await refused(w.admin, note('guarded'), 'markdown/skills/escurel.md')).toEqual([
      ['meta_skill_protected', 'frontmatter'],
    ]);
    expect(await refused(w.admin, 'markdown/skills/escurel.md', note('x'))).toEqual([
      ['meta_skill_protected', 'frontmatter'],
    ]);
    expect(await refused(ann, 'markdown/skills/note.md', 'markdown/skills/z.md')).toEqual([
      ['forbidden', 'frontmatter'],
    ]);
  });
});
