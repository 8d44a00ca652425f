import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { path, writeInstance, writeSkill } from './page.ts';

let cairn: Cairn;
let pages: Client;
beforeAll(async () => {
  cairn = await startCairn();
  pages = client(cairn.origin);
  await writeSkill(pages, 'meeting');
  const rows: Record<string, string> = {
    a: 'at: 2026-04-03T10:00:00Z\nsource: gmail\nsize: 5\nnested: {city: Bonn}',
    b: 'source: gmail\nflag: true\ntags: [x]',
    c: 'at: 2026-04-01T10:00:00Z\nsource: paper\nsize: "5"',
    d: 'at: 2026-04-03T12:00:00+02:00\n"dotted.key": yes',
    e: 'source: ""\nnothing: null',
  };
  for (const [id, header] of Object.entries(rows)) await writeInstance(pages, 'meeting', id, header);
  await writeSkill(pages, 'plan');
  await writeInstance(pages, 'plan', 'one', 'at: 2026-01-01T00:00:00Z', 'base\n');
  await writeInstance(pages, 'plan', 'two', 'at: 2026-01-02T00:00:00Z', 'base\n');
  await writeInstance(pages, 'plan', 'one-dream', 'scenario: dream', 'no twin\n');
  const twin = '---\ntype: instance\nskill: plan\nid: two\nscenario: dream\nat: 2026-01-03T00:00:00Z\n---\ntwin\n';
  await pages.ok('update_page', { page_id: path('plan', 'two-dream'), content: twin });
  await writeInstance(pages, 'plan', 'other', 'scenario: nightmare');
});
afterAll(() => cairn.stop());

const list = (args: object, skill_id = 'meeting') => pages.ok('list_instances', { skill_id, ...args });
const idsOf = (rows: readonly { page_id: string }[]): string =>
  rows.map(({ page_id }) => page_id.replace(/.*\/(.*)\.md$/, '$1')).join(' ');
const ids = async (args: object, skill_id?: string): Promise<string> => idsOf((await list(args, skill_id)).instances);

test('E199 E208 a row is page_id, skill, frontmatter and at; next_cursor is null when done', async () => {
  const { instances, next_cursor, ...rest } = await list({});
  expect([next_cursor, rest]).toEqual([null, {}]);
  expect(instances[3]).toEqual({
    page_id: path('meeting', 'd'),
    skill: 'meeting',
    frontmatter: { type: 'instance', skill: 'meeting', id: 'd', at: '2026-04-03T12:00:00+02:00', 'dotted.key': 'yes' },
    at: '2026-04-03T12:00:00+02:00',
  });
  expect(instances[1].at).toBeNull();
});

test('E200 skill stands for skill_id', async () => {
  expect(idsOf((await pages.ok('list_instances', { skill: 'meeting' })).instances)).toBe('a b c d e');
});

test('E201 by page id without an order', async () => {
  expect(await ids({})).toBe('a b c d e');
});

test('E202 at asc and at desc, undated rows last, ties by page id', async () => {
  for (const order_by of ['at asc', 'AT ASC', 'at_asc']) expect(await ids({ order_by })).toBe('c a d b e');
  for (const order_by of ['at desc', 'At Desc', 'at_desc']) expect(await ids({ order_by })).toBe('a d c b e');
});

test('E203 any other order is -32602', async () => {
  for (const order_by of ['at', 'page_id asc', 'at sideways', 'at desc; drop table pages'])
    expect((await pages.fails('list_instances', { skill_id: 'meeting', order_by })).code).toBe(-32602);
});

test('E204 E205 limit: none is all, 0 counts as 1, more than 10000 as 10000', async () => {
  expect(await ids({ limit: 0 })).toBe('a');
  expect(await ids({ limit: 2 })).toBe('a b');
  expect(await ids({ limit: 1_000_000_000 })).toBe('a b c d e');
});

test('E206 key and value are compared as texts, a dotted key reaches inside', async () => {
  const by = (frontmatter_key: string, frontmatter_value: string) => ids({ frontmatter_key, frontmatter_value });
  expect(await by('source', 'gmail')).toBe('a b');
  expect(await by('source', 'GMAIL')).toBe('');
  expect(await by('nested.city', 'Bonn')).toBe('a');
  expect(await by('size', '5')).toBe('a c');
  expect(await by('source', '')).toBe('e');
  expect(await by('nothing', 'null')).toBe('');
  expect(await by('no-such-key', 'x')).toBe('');
  for (const key of ['$', "a'b", 'a"b', 'a]', '"', "') OR 1=1 --", '__proto__', 'constructor.name', '....', '*'])
    expect(await by(key, 'x')).toBe('');
});

test('E207 half a filter is none', async () => {
  for (const half of [
    { frontmatter_key: 'source' },
    { frontmatter_value: 'gmail' },
    { frontmatter_key: '', frontmatter_value: 'x' },
  ])
    expect(await ids(half)).toBe('a b c d e');
});

test('E209 a cut drops what is later and keeps what has no time', async () => {
  expect(await ids({ as_of: '2026-04-02T00:00:00Z' })).toBe('b c e');
  expect(await ids({ as_of: '2026-04-03T10:00:00Z' })).toBe('a b c d e');
  expect(await ids({ as_of: '2026-04-03T11:59:59+02:00' })).toBe('b c e');
  expect((await pages.fails('list_instances', { skill_id: 'meeting', as_of: 'yesterday' })).code).toBe(-32602);
});

test('E210 E211 base pages only, or base and one overlay that wins', async () => {
  expect(await ids({}, 'plan')).toBe('one two');
  expect(await ids({ scenario: 'dream' }, 'plan')).toBe('one-dream one two-dream');
  expect(await ids({ scenario: 'nightmare' }, 'plan')).toBe('one other two');
  expect(await ids({ scenario: 'unheard-of' }, 'plan')).toBe('one two');
});

test.each([
  {},
  { order_by: 'at asc' },
  { order_by: 'at desc' },
  { frontmatter_key: 'source', frontmatter_value: 'gmail' },
])('E212 the cursor walks all rows under %j', async args => {
  const walked: { page_id: string }[] = [];
  let cursor: string | null = null;
  do {
    const answer = await list({ ...args, limit: 2, ...(cursor === null ? {} : { cursor }) });
    expect(answer.instances.length).toBeLessThanOrEqual(2);
    walked.push(...answer.instances);
    cursor = answer.next_cursor;
  } while (cursor !== null && walked.length < 20);
  expect(idsOf(walked)).toBe(await ids(args));
});

test('E212 the cursor walks an overlay', async () => {
  const first = await list({ scenario: 'dream', limit: 2, order_by: 'at desc' }, 'plan');
  const second = await list({ scenario: 'dream', limit: 2, order_by: 'at desc', cursor: first.next_cursor }, 'plan');
  expect([idsOf(first.instances), idsOf(second.instances)]).toEqual(['two-dream one', 'one-dream']);
  expect(second.next_cursor).toBeNull();
});

test('E213 a cursor is URL-safe base64 of the moment in UTC, or nothing, and the page id', async () => {
  const cursorOf = async (args: object) =>
    Buffer.from((await list({ limit: 1, ...args })).next_cursor, 'base64url').toString();
  expect(await cursorOf({ order_by: 'at asc' })).toBe(`2026-04-01 10:00:00.000000|${path('meeting', 'c')}`);
  expect(await cursorOf({ limit: 4, order_by: 'at asc' })).toBe(`|${path('meeting', 'b')}`);
  expect((await list({ limit: 1 })).next_cursor).toMatch(/^[A-Za-z0-9_-]+$/);
});

test('E214 a bad cursor', async () => {
  for (const cursor of [
    '',
    'x',
    '!!!',
    'bnVsbA',
    Buffer.from('some day|x').toString('base64url'),
    'a'.repeat(100_000),
  ]) {
    const error = await pages.fails('list_instances', { skill_id: 'meeting', cursor });
    expect([error.code, error.message.startsWith('list_instances: cursor:')]).toEqual([-32602, true]);
  }
});

test('E216 an unknown skill has no instances', async () => {
  expect(await list({}, 'unheard-of')).toEqual({ instances: [], next_cursor: null });
});

test('E217 skill pages are never listed', async () => {
  await writeSkill(pages, 'lonely');
  expect(await list({}, 'lonely')).toEqual({ instances: [], next_cursor: null });
});
