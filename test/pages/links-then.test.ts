import { afterAll, beforeAll, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
let bob: Caller;
let clock = new Date('2026-05-01T10:00:00.000Z');
const minute = (number: number): string => `2026-05-01T10:${String(number).padStart(2, '0')}:00.250Z`;
const path = (file: string): string => `markdown/instances/doc/${file}.md`;

/** Writes a page of that file and slug at a minute of the day. */
async function put(at: number, file: string, id: string, header = {}, body = ''): Promise<void> {
  clock = new Date(minute(at));
  const content = instancePage('doc', id, header, body);
  expect(await ann.call('update_page', { page_id: path(file), content })).toMatchObject({ ok: true });
}
async function remove(at: number, file: string): Promise<void> {
  clock = new Date(minute(at));
  expect(await ann.call('delete_page', { page_id: path(file) })).toMatchObject({ ok: true });
}
/** The file that a link to `doc::<id>` means, as that caller sees it. */
async function meant(id: string, at: number | null, more: object = {}, who: Caller = bob): Promise<string | null> {
  const time = at === null ? {} : { as_of: minute(at) };
  const { page } = await who.call('resolve', { wikilink: `[[doc::${id}]]`, ...time, ...more });
  return page === null ? null : page.page_id.split('/').at(-1).replace('.md', '');
}
async function edges(file: string, at: number, direction: 'in' | 'out', who: Caller = bob): Promise<string[]> {
  const found = await who.call('neighbours', { page_id: path(file), direction, as_of: minute(at) });
  const short = (page: string): string => page.split('/').at(-1)!.replace('.md', '');
  return found.edges.map(
    (edge: { src_page: string; dst_page: string; dst_exists: boolean }) =>
      `${short(edge.src_page)}>${short(edge.dst_page)}${edge.dst_exists ? '' : '?'}`,
  );
}

beforeAll(async () => {
  w = await world({}, () => clock);
  ann = await w.as({ sub: 'ann' });
  bob = await w.as({ sub: 'bob' });
  await w.put({ 'markdown/skills/doc.md': skillPage('doc') });
});
afterAll(() => w.end());

test('[PG146] a page is found by the name that it had, and by no other', async () => {
  await put(1, 'r', 'old-name');
  await put(1, 'r-from', 'r-from', {}, 'To [[doc::old-name]] and [[doc::new-name]].');
  await put(2, 'r', 'new-name');
  expect([await meant('old-name', 1), await meant('new-name', 1)]).toEqual(['r', null]);
  expect([await meant('old-name', 2), await meant('new-name', 2)]).toEqual([null, 'r']);
  expect([await meant('old-name', null), await meant('new-name', null)]).toEqual([null, 'r']);
  expect(await edges('r-from', 1, 'out')).toEqual(['r-from>r', 'r-from>new-name?']);
  expect(await edges('r-from', 2, 'out')).toEqual(['r-from>old-name?', 'r-from>r']);
  expect(await edges('r', 1, 'in')).toEqual(['r-from>r']);
});

test('[PG146] a name that went to another page means the page that had it then', async () => {
  await put(11, 'b-first', 'prize');
  await put(12, 'b-first', 'retired');
  await put(13, 'a-second', 'prize');
  expect([await meant('prize', 11), await meant('prize', 12), await meant('prize', 13)]).toEqual([
    'b-first',
    // The birth rule: an undated page without a version by then is there, where nothing else answers.
    'a-second',
    'a-second',
  ]);
  expect([await meant('retired', 11), await meant('retired', 12)]).toEqual([null, 'b-first']);
});

test('[PG146] [PG140] a page that was deleted since is there as it was, to those who might read it', async () => {
  await put(21, 'd', 'gone', { word: 'then' }, 'Kept.\n');
  await put(21, 'd-from', 'd-from', {}, 'To [[doc::gone]].');
  await put(22, 'd', 'gone', { word: 'then', acl: { read: ['owner'] } }, 'Hidden.\n');
  await put(23, 'd', 'gone', { word: 'last' }, 'Last.\n');
  await remove(24, 'd');
  expect([await meant('gone', 21), await meant('gone', 22), await meant('gone', 23)]).toEqual(['d', null, 'd']);
  expect([await meant('gone', 24), await meant('gone', null)]).toEqual([null, null]);
  expect(await meant('gone', 22, {}, w.admin)).toBe('d');
  const seen = async (at: number) => bob.call('expand', { page_id: path('d'), as_of: minute(at) });
  expect(await seen(21)).toMatchObject({ body: 'Kept.\n', as_of_version: 'v1', version: 'v4' });
  expect(await seen(22)).toEqual({ page: null });
  expect(await seen(20)).toEqual({ page: null });
  expect(await seen(24)).toEqual({ page: null });
  expect(await bob.call('expand', { page_id: path('d') })).toEqual({ page: null });
  expect(await edges('d-from', 21, 'out')).toEqual(['d-from>d']);
  expect(await edges('d-from', 22, 'out')).toEqual([]);
  expect(await edges('d-from', 24, 'out')).toEqual(['d-from>gone?']);
  expect(await edges('d', 21, 'in')).toEqual(['d-from>d']);
  const listed = async (at: number): Promise<string[]> =>
    (await bob.call('list_instances', { skill_id: 'doc', as_of: minute(at) })).instances.map(
      (row: { page_id: string }) => row.page_id,
    );
  expect(await listed(21)).toContain(path('d'));
  expect(await listed(22)).not.toContain(path('d'));
  expect(await listed(24)).not.toContain(path('d'));
});

test('[PG146] one that was closed before it was deleted stays closed', async () => {
  await put(25, 'c', 'closed', {}, 'Once open.\n');
  await put(26, 'c', 'closed', { acl: { read: ['owner'] } }, 'Closed.\n');
  clock = new Date(minute(27));
  expect(await w.admin.call('delete_page', { page_id: path('c') })).toMatchObject({ ok: true });
  expect(await meant('closed', 25)).toBeNull();
  expect(await bob.call('expand', { page_id: path('c'), as_of: minute(25) })).toEqual({ page: null });
  expect(await meant('closed', 25, {}, w.admin)).toBe('c');
});

test('[PG146] what was purged is in no past, and its id has none of it', async () => {
  await put(31, 'p', 'purged', {}, 'Secret.\n');
  await put(32, 'p', 'purged', {}, 'Secret again.\n');
  await remove(33, 'p');
  expect(await w.admin.call('purge_page', { page_id: path('p') })).toMatchObject({ ok: true });
  expect(await meant('purged', 31)).toBeNull();
  expect(await w.admin.call('expand', { page_id: path('p'), as_of: minute(31) })).toEqual({ page: null });
});

test('[PG146] a page that moved has its names of then under its id of now', async () => {
  await put(41, 'm-old', 'm-one');
  await put(42, 'm-old', 'm-two');
  clock = new Date(minute(43));
  expect(await ann.call('move_page', { from: path('m-old'), to: path('m-new') })).toMatchObject({ ok: true });
  expect([await meant('m-one', 41), await meant('m-two', 41), await meant('m-two', 42)]).toEqual([
    'm-new',
    null,
    'm-new',
  ]);
});

test('[PG146] [PG143] an overlay answers for its slug of then', async () => {
  await put(51, 'o', 'target', { word: 'base' });
  await put(51, 'o-s', 'target', { word: 'planned', scenario: 's' });
  await put(52, 'o-s', 'elsewhere', { word: 'planned', scenario: 's' });
  const inPlan = { scenario: 's' };
  expect([await meant('target', 51, inPlan), await meant('target', 52, inPlan)]).toEqual(['o-s', 'o']);
  expect([await meant('target', 51), await meant('elsewhere', 52)]).toEqual(['o', null]);
  const shown = async (at: number) =>
    (await bob.call('expand', { page_id: path('o'), as_of: minute(at), ...inPlan })).frontmatter.word;
  expect([await shown(51), await shown(52)]).toEqual(['planned', 'base']);
});

test('[PG146] of very many pages that had one name the first is meant, under every link to it', async () => {
  const names = Array.from({ length: 120 }, (_, n) => path(`s${String(n).padStart(3, '0')}`));
  const all = (id: (n: number) => string) =>
    Object.fromEntries(names.map((name, n) => [name, instancePage('doc', id(n), {}, '')]));
  clock = new Date(minute(55));
  await w.put(all(() => 'shared'));
  await w.put({ [path('s-from')]: instancePage('doc', 's-from', {}, '[[doc::shared]] ^a\n\n[[doc::shared]] ^b\n') });
  clock = new Date(minute(56));
  await w.put(all(n => `own-${n}`));
  expect([await meant('shared', 55), await meant('shared', 56), await meant('own-7', 56)]).toEqual([
    's000',
    null,
    's007',
  ]);
  expect(await edges('s-from', 55, 'out')).toEqual(['s-from>s000', 's-from>s000']);
});
