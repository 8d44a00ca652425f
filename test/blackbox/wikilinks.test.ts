import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { instance, path, writeSkill } from './page.ts';

let cairn: Cairn;
let pages: Client;
beforeAll(async () => {
  cairn = await startCairn();
  pages = client(cairn.origin);
  for (const id of ['note', 'skill', 'a', 'c', 'customer', 'AI & ML']) await writeSkill(pages, id);
});
afterAll(() => cairn.stop());

/** The parts of a link given to resolve. */
const parsed = async (wikilink: string) => (await pages.ok('resolve', { wikilink })).parsed;
const parts = (given: object) => ({ skill: null, id: null, anchor: null, version: null, alias: null, ...given });

/** The links found in a body, as `skill::id`. */
async function found(body: string, header = ''): Promise<string[]> {
  const page_id = path('note', 'x');
  const { ok, issues } = await pages.ok('update_page', { page_id, content: instance('note', 'x', header, body) });
  expect([ok, issues.filter(({ severity }: { severity: string }) => severity === 'error')]).toEqual([true, []]);
  const { wikilinks_out } = await pages.ok('expand', { page_id });
  return wikilinks_out.map(({ skill, id }: Record<string, string | null>) => (skill === null ? id : `${skill}::${id}`));
}

test.each([
  ['E107', '[[id]]', { id: 'id' }],
  ['E108', '[[skill::id]]', { skill: 'skill', id: 'id' }],
  ['E109', '[[skill::id#a]]', { skill: 'skill', id: 'id', anchor: 'a' }],
  ['E110', '[[skill::id@v3]]', { skill: 'skill', id: 'id', version: 'v3' }],
  ['E111', '[[skill::id|Text]]', { skill: 'skill', id: 'id', alias: 'Text' }],
  [
    'E112',
    '[[skill::id#a@v2|Erika (on-call)]]',
    { skill: 'skill', id: 'id', anchor: 'a', version: 'v2', alias: 'Erika (on-call)' },
  ],
  ['E113', '[[a::b|x@y#z::w|v]]', { skill: 'a', id: 'b', alias: 'x@y#z::w|v' }],
  ['E114', '[[skill::id@v1#a]]', { skill: 'skill', id: 'id', anchor: 'a', version: 'v1' }],
  ['E115', '[[user@host]]', { id: 'user', version: 'host' }],
  ['E116', '[[a::b::c]]', { skill: 'a', id: 'b::c' }],
  ['E117', '[[customer::]]', { skill: 'customer' }],
  ['E118', '[[::x]]', { id: 'x' }],
  ['E122', '[[ a :: b # c @ v1 | Text ]]', { skill: 'a', id: 'b', anchor: 'c', version: 'v1', alias: 'Text' }],
  ['E122', '  [[a::b]]\n', { skill: 'a', id: 'b' }],
  ['E131', '[[a::b|]]', { skill: 'a', id: 'b' }],
  ['E131', '[[a::b#@|]]', { skill: 'a', id: 'b' }],
  ['E131', '[[a::b@]]', { skill: 'a', id: 'b' }],
  ['E223', 'customer::acme#a', { skill: 'customer', id: 'acme', anchor: 'a' }],
  ['L07', '[[note::C%23 to JSON %5Bv2%5D]]', { skill: 'note', id: 'C# to JSON [v2]' }],
  ['L08', '[[note::Meeting: a/b]]', { skill: 'note', id: 'Meeting: a/b' }],
  ['L09', '[[AI & ML::Topic#Sec]]', { skill: 'AI & ML', id: 'Topic', anchor: 'Sec' }],
  ['L12', '[[note::a\u0308pfel]]', { skill: 'note', id: '\u00e4pfel' }],
])('%s, of E107-E118 E122 E131: %s', async (_, wikilink, expected) => {
  expect(await parsed(wikilink)).toEqual(parts(expected));
});

test.each([
  ['E119', '[[]]'],
  ['E119', '[[ ]]'],
  ['E119', '[[::]]'],
  ['E119', '[[|x]]'],
  ['E119', '[[#a]]'],
  ['E119', '[[@v1]]'],
  ['E120', '[[abc]'],
  ['E120', '[abc]]'],
  ['E121', '[[a[b]]'],
  ['E121', '[[a]b]]'],
  ['E121', '[[a\nb]]'],
  ['E121', '[[a\rb]]'],
  ['E225', '`[[a::b]]`'],
])('%s, of E119-E121 E225: %j is no link: resolve says -32602, a body holds none', async (_, wikilink) => {
  const error = await pages.fails('resolve', { wikilink });
  expect([error.code, typeof error.data.code]).toEqual([-32602, 'string']);
  expect(await found(`text ${wikilink} text\n`)).toEqual([]);
});

test('E121 a link may start inside broken brackets', async () => {
  expect(await found('x [[a [[c::d]] y\n')).toEqual(['c::d']);
});

test('E123 a backslash escapes nothing', async () => {
  expect(await found('x \\[[a::b]] y\n')).toEqual(['a::b']);
});

test('E124 links in inline code are skipped, on one line', async () => {
  expect(await found('`[[a::b]]` and [[c::d]]\n')).toEqual(['c::d']);
  expect(await found('a ` tick\n\n[[c::d]] another ` tick\n')).toEqual(['c::d']);
});

test('E125 links between backtick fences are skipped', async () => {
  expect(await found('```\n[[a::b]]\n```\n[[c::d]]\n')).toEqual(['c::d']);
  expect(await found('[[c::d]]\n\n```js\n[[a::b]]\n```\n')).toEqual(['c::d']);
});

test('E126 links in tilde fences and in indented code are skipped', async () => {
  expect(await found('~~~\n[[a::b]]\n~~~\n[[c::d]]\n')).toEqual(['c::d']);
  expect(await found('text\n\n    [[a::b]]\n\n[[c::d]]\n')).toEqual(['c::d']);
});

test('E127 an unclosed fence skips everything to the end', async () => {
  expect(await found('[[c::d]]\n\n```\n[[a::b]]\n\n# [[a::c]]\n')).toEqual(['c::d']);
});

test('E128 a heading holds links like any text', async () => {
  expect(await found('## About [[c::d]]\n')).toEqual(['c::d']);
});

test('E129 links stand in document order, duplicates kept', async () => {
  expect(await found('[[c::2]] [[c::1]]\n\n- [[c::2]]\n  - [[x]]\n\n> [[c::3]]\n')).toEqual([
    'c::2',
    'c::1',
    'c::2',
    'x',
    'c::3',
  ]);
});

test('E130 E234 links of the header are links, but none of wikilinks_out', async () => {
  expect(await found('[[c::d]]\n', 'about: "[[a::b]]"')).toEqual(['c::d']);
  const { edges } = await pages.ok('neighbours', { page_id: path('note', 'x'), direction: 'out' });
  expect(edges.map(({ dst_page }: { dst_page: string }) => dst_page)).toEqual(['b', 'd']);
});

test('E107 wikilinks_out carries all five parts', async () => {
  const page_id = path('note', 'x');
  const body = '[[plain]] [[c::d#e@v2|F G]]\n';
  await pages.ok('update_page', { page_id, content: instance('note', 'x', '', body) });
  expect((await pages.ok('expand', { page_id })).wikilinks_out).toEqual([
    parts({ id: 'plain' }),
    { skill: 'c', id: 'd', anchor: 'e', version: 'v2', alias: 'F G' },
  ]);
});
