import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
let bob: Caller;
let clock = new Date('2026-05-01T10:00:00.000Z');
const minute = (number: number): string => `2026-05-01T10:${String(number).padStart(2, '0')}:00.250Z`;
const path = (skill: string, id: string): string => `markdown/instances/${skill}/${id}.md`;
/** Writes at a minute of the day. */
async function write(at: number, page_id: string, content: string): Promise<void> {
  clock = new Date(minute(at));
  const answer = await ann.call('update_page', { page_id, content });
  expect(answer).toMatchObject({ ok: true });
}
const put = (at: number, skill: string, id: string, header = {}, body = ''): Promise<void> =>
  write(at, path(skill, id), instancePage(skill, id, header, body));
/** `id` of the header of each row, with its page where that is another. */
async function list(who: Caller, args: object): Promise<string[]> {
  const { instances } = await who.call('list_instances', args);
  return instances.map((row: { frontmatter: { id: string; state?: string } }) =>
    [row.frontmatter.id, row.frontmatter.state].filter(Boolean).join(':'),
  );
}
async function edges(who: Caller, args: object): Promise<string[]> {
  const found = await who.call('neighbours', args);
  const short = (page: string): string => page.split('/').at(-1)!.replace('.md', '');
  return found.edges.map(
    (edge: { src_page: string; dst_page: string }) => `${short(edge.src_page)}>${short(edge.dst_page)}`,
  );
}

beforeAll(async () => {
  w = await world({}, () => clock);
  ann = await w.as({ sub: 'ann' });
  bob = await w.as({ sub: 'bob' });
  const skills = ['task', 'plan', 'dup', 'cut', 'doc', 'twin'];
  await w.put({
    ...Object.fromEntries(skills.map(id => [`markdown/skills/${id}.md`, skillPage(id)])),
    'markdown/skills/own.md': skillPage('own', { visibility: 'owner', owner_field: 'by' }),
  });
});
afterAll(() => w.end());

describe('time', () => {
  test('[PG140] [PG141] a list shows what was so then', async () => {
    await put(1, 'task', 'a', { state: 'new' });
    await put(1, 'task', 'b', { state: 'new' });
    await put(1, 'task', 'c', { state: 'new' });
    await put(2, 'task', 'a', { state: 'done' });
    await put(2, 'task', 'c', { state: 'done' });
    await put(3, 'task', 'd', { state: 'new' });
    clock = new Date(minute(4));
    await ann.call('delete_page', { page_id: path('task', 'c') });
    await put(5, 'task', 'c', { state: 'back' });
    const at = (number: number, more = {}) => list(bob, { skill_id: 'task', as_of: minute(number), ...more });
    expect(await at(1)).toEqual(['a:new', 'b:new', 'c:new', 'd:new']);
    expect(await at(2)).toEqual(['a:done', 'b:new', 'c:done', 'd:new']);
    expect(await at(4)).toEqual(['a:done', 'b:new', 'd:new']);
    expect(await at(5)).toEqual(['a:done', 'b:new', 'c:back', 'd:new']);
    const state = { frontmatter_key: 'state', frontmatter_value: 'done' };
    expect(await at(5, state)).toEqual(['a:done']);
    expect(await at(1, state)).toEqual([]);
    expect(await at(1, { filter: { state: 'done' } })).toEqual([]);
    for (const order_by of [undefined, 'at asc', 'at desc']) {
      let seen: string[] = [];
      let cursor: string | null = null;
      do {
        const args = { skill_id: 'task', as_of: minute(4), limit: 1, ...(order_by ? { order_by } : {}) };
        const page = await bob.call('list_instances', { ...args, ...(cursor === null ? {} : { cursor }) });
        seen = [...seen, ...page.instances.map((row: { frontmatter: { id: string } }) => row.frontmatter.id)];
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(['a', 'b', 'd']);
    }
  });

  test('[PG140] [PG141] rows that were not there then make no short page, however many', async () => {
    const skill = 'skill: many';
    const text = (n: number, header: string): string =>
      `---\ntype: instance\n${skill}\nid: m${n}\n${header}---\n\nText.\n`;
    clock = new Date(minute(1));
    const ids = Array.from({ length: 130 }, (_, n) => path('many', `m${String(n).padStart(3, '0')}`));
    const writeAll = (header: (n: number) => string) =>
      w.put(Object.fromEntries(ids.map((id, n) => [id, text(n, header(n))])));
    await writeAll(n => (n % 65 === 64 ? 'state: seen\n' : 'state: other\n'));
    clock = new Date(minute(2));
    await writeAll(() => 'state: seen\n');
    const filter = { state: 'seen' };
    expect(await list(bob, { skill_id: 'many', filter, as_of: minute(1) })).toEqual(['m64:seen', 'm129:seen']);
    expect(await list(bob, { skill_id: 'many', filter, as_of: minute(1), limit: 1 })).toEqual(['m64:seen']);
    expect(await list(bob, { skill_id: 'many', filter })).toHaveLength(130);
  });

  test('[PG140] what is born later by its header is cut, undated pages never are', async () => {
    await put(1, 'cut', 'future', { at: '2027-01-01' });
    await put(1, 'cut', 'past', { at: '2026-01-01' });
    await put(1, 'cut', 'moved', { at: '2026-01-01' });
    await put(2, 'cut', 'moved', { at: '2027-01-01' });
    await put(2, 'cut', 'undated');
    const ids = (as_of: string) => list(bob, { skill_id: 'cut', as_of });
    expect(await ids(minute(3))).toEqual(['past', 'undated']);
    expect(await ids(minute(1))).toEqual(['moved', 'past', 'undated']);
    expect(await ids('2025-01-01T00:00:00Z')).toEqual(['undated']);
    const resolved = async (id: string, as_of: string) =>
      (await bob.call('resolve', { wikilink: `[[cut::${id}]]`, as_of })).exists;
    expect(await resolved('moved', minute(1))).toBe(true);
    expect(await resolved('moved', minute(3))).toBe(false);
    expect((await bob.call('resolve', { wikilink: '[[cut::moved]]' })).exists).toBe(true);
    expect((await bob.fails('resolve', { wikilink: '[[cut::moved]]', as_of: 'soon' })).code).toBe(-32602);
  });

  test('[PG140] a past that was hidden from the caller is not listed', async () => {
    await put(1, 'doc', 'private', { acl: { read: ['owner'] } });
    await put(2, 'doc', 'private', { state: 'open' });
    expect(await list(bob, { skill_id: 'doc' })).toEqual(['private:open']);
    expect(await list(bob, { skill_id: 'doc', as_of: minute(1) })).toEqual([]);
    expect((await bob.call('resolve', { wikilink: '[[doc::private]]', as_of: minute(1) })).page).toBeNull();
  });

  test('[PG142] neighbours are those of then', async () => {
    await put(1, 'doc', 'x', {}, 'To [[doc::y]].');
    await put(1, 'doc', 'y', {}, 'To [[doc::z]].');
    await put(2, 'doc', 'x', {}, 'To [[doc::z]].');
    await put(3, 'doc', 'z', {}, 'No link.');
    const at = (page: string, number: number, direction: string) =>
      edges(bob, { page_id: path('doc', page), direction, as_of: minute(number) });
    expect(await at('x', 1, 'out')).toEqual(['x>y']);
    expect(await at('x', 2, 'out')).toEqual(['x>z']);
    expect(await at('z', 1, 'in')).toEqual(['y>z']);
    expect(await at('z', 2, 'in')).toEqual(['x>z', 'y>z']);
    // What is linked no more was linked then.
    expect(await at('y', 1, 'in')).toEqual(['x>y']);
    expect(await at('y', 2, 'in')).toEqual([]);
  });

  test('[PG140] list_skills shows the skills of then', async () => {
    await write(10, 'markdown/skills/kind.md', skillPage('kind', { description: 'First.' }));
    await write(20, 'markdown/skills/kind.md', skillPage('kind', { description: 'Second.' }));
    const kind = async (args: object) => {
      const { skills } = await bob.call('list_skills', args);
      return skills
        .filter((row: { id: string }) => row.id === 'kind')
        .map((row: { description: string }) => row.description);
    };
    expect(await kind({})).toEqual(['Second.']);
    expect(await kind({ as_of: minute(15) })).toEqual(['First.']);
    await write(21, 'markdown/skills/kind-s.md', skillPage('kind', { description: 'Planned.', scenario: 's' }));
    expect(await kind({ scenario: 's' })).toEqual(['Planned.']);
    expect(await kind({ scenario: 'other' })).toEqual(['Second.']);
    expect(await kind({ scenario: 's', as_of: minute(20) })).toEqual(['Planned.']);
    clock = new Date(minute(25));
    expect(await w.admin.call('delete_page', { page_id: 'markdown/skills/kind.md' })).toMatchObject({ ok: true });
    expect(await kind({})).toEqual([]);
    expect(await kind({ as_of: minute(24) })).toEqual(['Second.']);
  });
});

describe('overlays', () => {
  test('[PG143] a hidden base page does not stand in the way of its visible twin', async () => {
    await write(1, path('dup', 'a-hidden'), instancePage('dup', 'same', { acl: { read: ['owner'] } }, 'quartz'));
    await write(1, path('dup', 'b-open'), instancePage('dup', 'same', { state: 'open' }, 'marmalade'));
    await write(1, path('dup', 'c-third'), instancePage('dup', 'same', { state: 'third' }, 'violin'));
    expect(await list(bob, { skill_id: 'dup' })).toEqual(['same:open', 'same:third']);
    expect(await list(bob, { skill_id: 'dup', scenario: 's' })).toEqual(['same:open']);
    expect(await list(w.admin, { skill_id: 'dup', scenario: 's' })).toEqual(['same']);
    const found = async (who: Caller, q: string) =>
      (await who.call('search', { q, scenario: 's', skill: 'dup' })).hits.length;
    expect(await found(bob, 'marmalade')).toBe(1);
    expect(await found(bob, 'violin')).toBe(0);
    expect(await found(w.admin, 'marmalade')).toBe(0);
  });

  test('[PG143] links of a page with a twin are those of the twin', async () => {
    await put(1, 'twin', 'one', {}, 'To [[twin::two]].');
    await put(1, 'twin', 'two', {}, 'None.');
    await put(1, 'twin', 'three', {}, 'None.');
    await write(1, path('twin', 'one-s'), instancePage('twin', 'one', { scenario: 's' }, 'To [[twin::three]].'));
    const at = (page: string, more: object) => edges(bob, { page_id: path('twin', page), ...more });
    expect(await at('one', {})).toEqual(['one>two']);
    expect(await at('two', {})).toEqual(['one>two']);
    expect(await at('one', { scenario: 's' })).toEqual(['one-s>three']);
    expect(await at('two', { scenario: 's' })).toEqual([]);
    expect(await at('three', { scenario: 's' })).toEqual(['one-s>three']);
    expect(await at('three', {})).toEqual([]);
  });

  test('[PG143] an overlay that is born after the cut replaces nothing yet', async () => {
    await put(1, 'plan', 'later', {}, 'Base.\n');
    const late = instancePage('plan', 'later', { scenario: 's', at: '2027-01-01' }, 'Planned.\n');
    await write(9, path('plan', 'later-s'), late);
    const body = async (as_of: string) =>
      (await bob.call('expand', { page_id: path('plan', 'later'), scenario: 's', as_of })).body;
    expect(await body(minute(5))).toBe('Base.\n');
    expect(await body('2027-02-01T00:00:00Z')).toBe('Planned.\n');
    expect(await list(bob, { skill_id: 'plan', scenario: 's', as_of: minute(5) })).toContain('later');
    const resolved = await bob.call('resolve', { wikilink: '[[plan::later]]', scenario: 's', as_of: minute(5) });
    expect(resolved.page.page_id).toBe(path('plan', 'later'));
  });

  test('[PG143] search has the overlay in place of the base page', async () => {
    await put(1, 'plan', 'x', {}, 'granite');
    await write(1, path('plan', 'x-s'), instancePage('plan', 'x', { scenario: 's' }, 'zeppelin'));
    const pages = async (q: string, more = {}) =>
      (await bob.call('search', { q, skill: 'plan', ...more })).hits.map((hit: { page_id: string }) => hit.page_id);
    expect(await pages('granite')).toEqual([path('plan', 'x')]);
    expect(await pages('granite', { scenario: 's' })).toEqual([]);
    expect(await pages('zeppelin', { scenario: 's' })).toEqual([path('plan', 'x-s')]);
    expect(await pages('granite', { scenario: 'other' })).toEqual([path('plan', 'x')]);
  });
});

test('[PG144] list_instances takes a filter, and names what is wrong with one', async () => {
  const made = Array.from({ length: 6 }, (_, n) => path('own', `f${n}`));
  for (const [n, page_id] of made.entries()) {
    const header = { by: n < 4 ? 'bob' : 'ann', n, kind: n % 2 === 0 ? 'even' : 'odd' };
    await write(1, page_id, instancePage('own', `f${n}`, header));
  }
  const ids = (args: object) => list(bob, { skill_id: 'own', ...args });
  expect(await ids({})).toEqual(['f0', 'f1', 'f2', 'f3']);
  expect(await ids({ filter: { kind: 'odd' } })).toEqual(['f1', 'f3']);
  expect(await ids({ filter: { kind: 'odd', n: { '>': 1 } } })).toEqual(['f3']);
  expect(await ids({ filter: { n: 2 } })).toEqual(['f2']);
  expect(await ids({ filter: { n: '2' } })).toEqual([]);
  expect(await ids({ filter: { none: null }, order_by: 'at desc' })).toEqual(['f0', 'f1', 'f2', 'f3']);
  expect(await ids({ filter: { kind: 'even' }, order_by: 'at asc' })).toEqual(['f0', 'f2']);
  const bad = await bob.call('list_instances', { skill_id: 'own', filter: { n: { like: 1 } } });
  expect([bad.instances, bad.next_cursor]).toEqual([[], null]);
  expect(bad.issues).toEqual([expect.objectContaining({ severity: 'error', location: 'filter.n' })]);
});

test('[PG145] a past that is older than it is kept is gone, and the birth rule answers for it', async () => {
  let now = new Date('2026-05-01T10:00:00.000Z');
  const kept = await world({}, () => now);
  const page_id = path('note', 'old');
  await kept.put({ [page_id]: instancePage('note', 'old', { at: '2026-04-01' }, 'First.\n') });
  now = new Date('2026-05-02T10:00:00.000Z');
  await kept.put({ [page_id]: instancePage('note', 'old', { at: '2026-04-01' }, 'Second.\n') });
  const first = { page_id, as_of: '2026-05-01T12:00:00Z' };
  expect((await kept.admin.call('expand', first)).body).toBe('First.\n');
  now = new Date('2026-06-01T10:00:00.000Z');
  await kept.restart({ CAIRN_HISTORY_KEEP_DAYS: '10' });
  const snapshots = async () => (await kept.admin.call('list_snapshots', { page_id })).snapshots;
  await expect.poll(snapshots, { timeout: 30_000 }).toEqual(['2026-05-02T10:00:00.000Z']);
  expect((await kept.admin.call('expand', first)).body).toBe('Second.\n');
  expect((await kept.admin.call('expand', { page_id, as_of: '2026-03-01T00:00:00Z' })).page).toBeNull();
  const listed = await kept.admin.call('list_instances', { skill_id: 'note', as_of: first.as_of });
  expect(listed.instances).toHaveLength(1);
  await kept.end();
});
