import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockChanges } from '../../src/pages/diff/blocks.ts';
import { parsePage } from '../../src/pages/index.ts';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
let bob: Caller;
let clock = new Date('2026-05-01T10:00:00.000Z');
const note = (id: string): string => `markdown/instances/note/${id}.md`;
const text = (id: string, body: string, more = {}): string => instancePage('note', id, more, body);
/** Writes at a minute of the day. */
const write = async (minute: number, page_id: string, content: string, more = {}) => {
  clock = new Date(`2026-05-01T10:${String(minute).padStart(2, '0')}:00.250Z`);
  return ann.call('update_page', { page_id, content, ...more });
};
const minute = (number: number): string => `2026-05-01T10:${String(number).padStart(2, '0')}:00.250Z`;
const body = async (who: Caller, page_id: string, as_of: string, more = {}) =>
  (await who.call('expand', { page_id, as_of, ...more })).body ?? null;

beforeAll(async () => {
  w = await world({}, () => clock);
  ann = await w.as({ sub: 'ann' });
  bob = await w.as({ sub: 'bob' });
  await w.put({
    'markdown/skills/note.md': skillPage('note'),
    'markdown/skills/mine.md': skillPage('mine', { visibility: 'owner', owner_field: 'by' }),
  });
});
afterAll(() => w.end());

describe('time', () => {
  test('[PG110] every version is a point in time that expand reads back', async () => {
    const page_id = note('timed');
    for (const n of [1, 2, 3]) await write(n, page_id, text('timed', `State ${n}.\n`));
    const { snapshots } = await bob.call('list_snapshots', { page_id });
    expect(snapshots).toEqual([minute(1), minute(2), minute(3)]);
    for (const [index, at] of snapshots.entries()) expect(await body(bob, page_id, at)).toBe(`State ${index + 1}.\n`);
    expect(await bob.call('list_snapshots', { page_id: note('never') })).toEqual({ snapshots: [] });
  });

  test('[PG111] a past state has no writer and says which version it is', async () => {
    const page_id = note('past');
    await write(10, page_id, text('past', 'One [[note::timed]].\n', { title: 'Old' }));
    await write(20, page_id, text('past', 'Two.\n', { title: 'New' }));
    const past = await bob.call('expand', { page_id, as_of: '2026-05-01T12:15:00+02:00' });
    expect(past.page.last_written_by).toBeNull();
    expect(past).toMatchObject({ body: 'One [[note::timed]].\n', version: 'v2', as_of_version: 'v1' });
    expect(past.frontmatter.title).toBe('Old');
    expect(past.wikilinks_out).toHaveLength(1);
    expect(past).not.toHaveProperty('content_sha256');
    expect(await bob.call('expand', { page_id })).not.toHaveProperty('as_of_version');
  });

  test('[PG111] before the first version the birth decides', async () => {
    await write(30, note('undated'), text('undated', 'Body.\n'));
    await write(30, note('born'), text('born', 'Body.\n', { at: '2026-04-01' }));
    expect(await body(bob, note('undated'), '2020-01-01T00:00:00Z')).toBe('Body.\n');
    expect(await body(bob, note('born'), '2026-04-02T00:00:00Z')).toBe('Body.\n');
    expect(await body(bob, note('born'), '2026-03-01T00:00:00Z')).toBeNull();
  });

  test('[PG111] while it was archived a page was not there; a moved page takes its past along', async () => {
    await write(31, note('came'), text('came', 'First.\n'));
    clock = new Date(minute(32));
    await ann.call('delete_page', { page_id: note('came') });
    await write(33, note('came'), text('came', 'Again.\n'));
    clock = new Date(minute(34));
    await ann.call('move_page', { from: note('came'), to: note('went') });
    const seen = [31, 32, 33, 34].map(at => body(bob, note('went'), minute(at)));
    expect(await Promise.all(seen)).toEqual(['First.\n', null, 'Again.\n', 'Again.\n']);
    expect((await bob.call('list_snapshots', { page_id: note('went') })).snapshots).toHaveLength(4);
    expect(await body(bob, note('came'), minute(31))).toBeNull();
  });

  test('[PG111] an overlay has a past of its own', async () => {
    await write(40, note('base'), text('base', 'Base.\n'));
    await write(41, note('plan'), text('base', 'Plan 1.\n', { scenario: 's' }));
    await write(42, note('plan'), text('base', 'Plan 2.\n', { scenario: 's' }));
    expect(await body(bob, note('base'), minute(41), { scenario: 's' })).toBe('Plan 1.\n');
    expect(await body(bob, note('base'), minute(42))).toBe('Base.\n');
    expect(await body(bob, note('plan'), minute(41))).toBeNull();
  });

  test('[PG112] who may not read the page now, or could not read it then, reads no past', async () => {
    const page_id = note('closing');
    await write(50, page_id, text('closing', 'Open.\n'));
    await write(51, page_id, instancePage('mine', 'closing', { by: 'ann' }, 'Closed.\n'));
    expect(await body(ann, page_id, minute(50))).toBe('Open.\n');
    expect(await body(bob, page_id, minute(50))).toBeNull();
    expect(await bob.call('list_snapshots', { page_id })).toEqual({ snapshots: [] });
    expect(await bob.call('diff_page', { page_id, from: 'v1', to: 'v1' })).toMatchObject({ unified: null, blocks: [] });
    const refused = await bob.call('restore_page', { page_id, version: 'v1' });
    expect([refused.ok, refused.issues[0].code, refused.issues[0].location]).toEqual([false, 'not_found', 'page_id']);
    await write(52, page_id, text('closing', 'Open again.\n'));
    expect(await body(bob, page_id, minute(50))).toBe('Open.\n');
    expect(await body(bob, page_id, minute(51))).toBeNull();
    expect(await bob.call('diff_page', { page_id, from: 'v2' })).toMatchObject({ unified: null });
    const hidden = await bob.call('restore_page', { page_id, version: 'v2' });
    expect([hidden.ok, hidden.issues[0].code, hidden.issues[0].location]).toEqual([false, 'not_found', 'version']);
  });
});

describe('diff_page', () => {
  test('[PG113] shows lines and blocks', async () => {
    const page_id = note('diffed');
    await write(1, page_id, text('diffed', 'Kept.\n\nNamed one. ^n\n\nGone.\n'));
    await write(2, page_id, text('diffed', 'Kept.\n\nNamed two. ^n\n\nCame.'));
    const diff = await bob.call('diff_page', { page_id, from: 'v1' });
    expect(diff.unified).toBe(
      '--- v1\n+++ v2\n@@ -5,6 +5,6 @@\n ---\n Kept.\n \n-Named one. ^n\n+Named two. ^n\n \n-Gone.\n+Came.\n\\ No newline at end of file\n',
    );
    expect([diff.from, diff.to]).toEqual(['v1', 'v2']);
    expect(diff.blocks.map((block: Record<string, unknown>) => [block.change, block.before, block.after])).toEqual([
      ['changed', 'Named one.', 'Named two.'],
      ['changed', 'Gone.', 'Came.'],
    ]);
    expect(await bob.call('diff_page', { page_id, from: 'v2', to: 'v2' })).toMatchObject({ unified: '', blocks: [] });
    for (const from of ['v0', 'v9', 'one', 'v1.0']) {
      expect(await bob.call('diff_page', { page_id, from })).toMatchObject({ from: null, to: null, unified: null });
    }
  });
});

test('[PG113] a block is its own counterpart, wherever it stands; where others came or went none is guessed', () => {
  const blocks = (content: string) => parsePage(content).blocks;
  const changes = (before: string, after: string) =>
    blockChanges(blocks(before), blocks(after)).map(({ change, before: was, after: is }) => [change, was, is]);
  expect(changes('A.\n\nB.\n\nC.\n', 'C.\n\nA.\n\nB.\n')).toEqual([]);
  expect(changes('A.\n\nB.\n\nC.\n', 'A.\n\nB 2.\n\nC.\n\nD.\n')).toEqual([
    ['changed', 'B.', 'B 2.'],
    ['added', null, 'D.'],
  ]);
  expect(changes('A.\n\nB.\n\nC.\n', 'A.\n\nX.\n\nY.\n\nC.\n')).toEqual([
    ['added', null, 'X.'],
    ['added', null, 'Y.'],
    ['removed', 'B.', null],
  ]);
  expect(blockChanges(blocks('A.\n'), blocks('A. ^name\n'))).toEqual([
    { anchor: 'name', change: 'changed', anchor_before: 'blk-e5365717', before: 'A.', after: 'A.' },
  ]);
  expect(blockChanges([], [])).toEqual([]);
});

describe('restore_page', () => {
  test('[PG114] makes an old text the newest version', async () => {
    const page_id = note('restored');
    await write(1, page_id, text('restored', 'One.\n'));
    await write(2, page_id, text('restored', 'Two.\n'));
    const answer = await bob.call('restore_page', { page_id, version: 'v1' });
    expect(answer).toMatchObject({ ok: true, new_version: 'v3', auto_merged: false });
    expect(await ann.call('expand', { page_id })).toMatchObject({ body: 'One.\n', page: { last_written_by: 'bob' } });
    const stale = await bob.call('restore_page', { page_id, version: 'v2', base_version: 'v2' });
    expect([stale.ok, stale.issues[0].code]).toEqual([false, 'conflict']);
  });

  test('[PG114] brings an archived page back, but never its archived version', async () => {
    const page_id = note('buried');
    await write(1, page_id, text('buried', 'Alive.\n'));
    await ann.call('delete_page', { page_id });
    expect((await bob.call('restore_page', { page_id, version: 'v2' })).issues[0].location).toBe('version');
    expect(await bob.call('restore_page', { page_id, version: 'v1' })).toMatchObject({ ok: true, new_version: 'v3' });
    expect((await bob.call('expand', { page_id })).body).toBe('Alive.\n');
  });
});
