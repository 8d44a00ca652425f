import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
let bob: Caller;
const note = (id: string): string => `markdown/instances/note/${id}.md`;
const text = (id: string, body: string, more = {}): string => instancePage('note', id, more, body);
const lines = (...changes: [number, string][]): string =>
  Array.from({ length: 9 }, (_, n) => changes.find(([at]) => at === n)?.[1] ?? `Line ${n}.\n`).join('\n');

/** Versions v1 and v2 of a page, then a write on v1. */
async function stale(id: string, one: string, two: string, three: string, more: object = {}) {
  const page_id = note(id);
  await w.put({ [page_id]: one });
  await w.put({ [page_id]: two });
  return ann.call('update_page', { page_id, content: three, base_version: 'v1', ...more });
}
const codes = (payload: { ok: boolean; issues: { code: string; location: string }[] }) => {
  expect(payload.ok).toBe(false);
  return payload.issues.map(issue => [issue.code, issue.location]);
};

beforeAll(async () => {
  w = await world();
  ann = await w.as({ sub: 'ann' });
  bob = await w.as({ sub: 'bob' });
  await w.put({
    'markdown/skills/note.md': skillPage('note'),
    'markdown/skills/mine.md': skillPage('mine', { visibility: 'owner', owner_field: 'by' }),
  });
});
afterAll(() => w.end());

describe('a write on a stale base', () => {
  test('[PG120] disjoint edits are both kept', async () => {
    const [one, two, three] = [lines(), lines([1, 'Head.\n']), lines([7, 'Mine.\n'])];
    const answer = await stale('disjoint', text('disjoint', one), text('disjoint', two), text('disjoint', three));
    expect(answer).toEqual({ ok: true, issues: [], new_version: 'v3', auto_merged: true });
    const read = await ann.call('expand', { page_id: note('disjoint') });
    expect(read.body).toBe(lines([1, 'Head.\n'], [7, 'Mine.\n']));
    expect(read.page.last_written_by).toBe('ann');
  });

  test('[PG120] overlapping edits of the body are kept side by side', async () => {
    const answer = await stale('over', text('over', 'x\n'), text('over', 'x one\n'), text('over', 'x two\n'));
    expect([answer.ok, answer.auto_merged]).toEqual([true, true]);
    expect((await ann.call('expand', { page_id: note('over') })).body).toBe('x one two\n');
  });

  test('[PG120] one side may change the header', async () => {
    const answer = await stale('head', text('head', 'x\n'), text('head', 'x\n', { title: 'T' }), text('head', 'y\n'));
    expect([answer.ok, answer.auto_merged]).toEqual([true, true]);
    const read = await ann.call('expand', { page_id: note('head') });
    expect([read.frontmatter.title, read.body]).toEqual(['T', 'y\n']);
  });

  test('[PG120] any stored version can be the base, also after a restart', async () => {
    const page_id = note('old');
    for (const body of [lines(), lines([1, 'One.\n']), lines([1, 'One.\n'], [4, 'Two.\n'])]) {
      await w.put({ [page_id]: text('old', body) });
    }
    await w.restart();
    const mine = { page_id, content: text('old', lines([8, 'Mine.\n'])), base_version: 'v1' };
    expect(await ann.call('update_page', mine)).toMatchObject({ ok: true, new_version: 'v4', auto_merged: true });
    expect((await ann.call('expand', { page_id })).body).toBe(lines([1, 'One.\n'], [4, 'Two.\n'], [8, 'Mine.\n']));
  });

  test('[PG121] two changed headers are a conflict', async () => {
    for (const [id, a, b] of [
      ['same', { title: 'A' }, { title: 'B' }],
      ['other', { title: 'A' }, { status: 'B' }],
    ] as const) {
      const answer = await stale(id, text(id, 'x\n'), text(id, 'x\n', a), text(id, 'x\n', b));
      expect(codes(answer)).toEqual([['conflict', 'base_version']]);
      expect([answer.head_version, answer.head_content]).toEqual(['v2', text(id, 'x\n', a)]);
    }
  });

  test('[PG121] a base that is not stored is a conflict', async () => {
    const page_id = note('unknown');
    await w.put({ [page_id]: text('unknown', 'x\n') });
    for (const base_version of ['v0', 'v9', '1', 'v01', 'v1.5', '']) {
      const answer = await ann.call('update_page', { page_id, content: text('unknown', 'y\n'), base_version });
      expect(codes(answer)).toEqual([['conflict', 'base_version']]);
    }
  });

  test('[PG122] not where the exact base was asked for', async () => {
    const [one, two, three] = [lines(), lines([1, 'Head.\n']), lines([7, 'Mine.\n'])].map(body => text('exact', body));
    const answer = await stale('exact', one!, two!, three!, { require_exact_base: true });
    expect(codes(answer)).toEqual([['conflict', 'base_version']]);
    const hashed = { page_id: note('exact'), content: three, base_version: 'v1', base_sha256: 'a'.repeat(64) };
    expect(codes(await ann.call('update_page', hashed))).toEqual([['conflict', 'base_sha256']]);
    expect((await ann.call('expand', { page_id: note('exact') })).version).toBe('v2');
  });

  test('[PG123] what a merge would bring in is guarded like a draft', async () => {
    const skill = (more: object, body: string): string => skillPage('promo', more as Record<string, unknown>, body);
    const page_id = 'markdown/skills/promo.md';
    await w.put({ [page_id]: skill({}, 'One.\n\nTwo.\n') });
    await w.put({ [page_id]: skill({ promotable: true }, 'One.\n\nTwo.\n') });
    const content = skill({}, 'One.\n\nMine.\n');
    const answer = await ann.call('update_page', { page_id, content, base_version: 'v1' });
    expect(codes(answer)).toEqual([['promotable_requires_curator', 'frontmatter.promotable']]);
    expect((await w.admin.call('update_page', { page_id, content, base_version: 'v1' })).auto_merged).toBe(true);
  });

  test('[PG123] nobody learns of a page through what becomes of a guess', async () => {
    const page_id = note('guess');
    await w.put({ [page_id]: instancePage('mine', 'guess', { by: 'ann' }, 'Secret.\n') });
    await w.put({ [page_id]: text('guess', 'Public.\n') });
    const guess = { page_id, content: instancePage('mine', 'guess', { by: 'ann' }, 'Secret.\n'), base_version: 'v1' };
    expect(codes(await bob.call('update_page', guess))).toEqual([['conflict', 'base_version']]);
    const hidden = note('hidden');
    await w.put({ [hidden]: instancePage('mine', 'hidden', { by: 'ann' }, 'One.\n') });
    await w.put({ [hidden]: instancePage('mine', 'hidden', { by: 'ann' }, 'Two.\n') });
    const blind = await bob.call('update_page', {
      page_id: hidden,
      content: text('hidden', 'x\n'),
      base_version: 'v1',
    });
    expect([codes(blind), blind.head_content]).toEqual([[['conflict', 'base_version']], null]);
  });

  test('[PG120] of many writers on one base every edit is kept', async () => {
    const page_id = note('many');
    await w.put({ [page_id]: text('many', lines()) });
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        ann.call('update_page', { page_id, content: text('many', lines([n, `Writer ${n}.\n`])), base_version: 'v1' }),
      ),
    );
    expect(answers.map(answer => answer.ok)).toEqual(answers.map(() => true));
    const { body } = await ann.call('expand', { page_id });
    expect(body).toBe(lines(...Array.from({ length: 9 }, (_, n): [number, string] => [n, `Writer ${n}.\n`])));
  });
});
