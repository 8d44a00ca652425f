import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { instance, page, path, skill, skillPath, write, writeInstance, writeSkill } from './page.ts';

let cairn: Cairn;
let pages: Client;
beforeAll(async () => {
  cairn = await startCairn(
    { CAIRN_AUTH_MODE: 'open' },
    {
      // Files that were there before the first start.
      'data/markdown/instances/note/by-hand.md': instance('note', 'by-hand', '', 'Handarbeit\n'),
      'data/markdown/instances/note/husk.md': instance('note', 'husk', 'archived: true', 'Hülle\n'),
      'data/markdown/instances/note/broken.md': '---\ntype: instance\nacl: {read: [x]\n---\nSecret\n',
    },
  );
  pages = client(cairn.origin);
  await writeSkill(pages, 'note');
  await writeSkill(pages, 'meeting', 'required_frontmatter: [at]');
});
afterAll(() => cairn.stop());

const blocksOf = async (body: string): Promise<{ anchor: string; content: string }[]> => {
  const page_id = await writeInstance(pages, 'note', 'blocks', '', body);
  return (await pages.ok('expand', { page_id })).blocks;
};
const edges = async (page_id: string, args: object = {}) => (await pages.ok('neighbours', { page_id, ...args })).edges;

const NAMED = `First paragraph. ^intro

- item one ^one
- item two

| a | b |
|---|---|
| 1 | 2 |
^table

## Title ^head

Last.
`;

test('E132 E133 a trailing ^anchor names a paragraph, item, table or heading and is no part of its text', async () => {
  const blocks = await blocksOf(NAMED);
  const named = Object.fromEntries(blocks.map(({ anchor, content }) => [anchor, content]));
  expect(named).toMatchObject({ intro: 'First paragraph.', one: expect.stringMatching(/item one$/) });
  expect(named['table']).toContain('| 1 | 2 |');
  expect(named['head']).toContain('Title');
  expect(JSON.stringify(blocks)).not.toContain('^');
});

test('E132 blocks without a name get blk- and eight hex digits, repeats -2, -3', async () => {
  const blocks = await blocksOf('One.\n\nTwo.\n\nOne.\n\nOne.\n');
  const [first, second, ...repeats] = blocks.map(({ anchor }) => anchor);
  expect(first).toMatch(/^blk-[0-9a-f]{8}$/);
  expect(second).toMatch(/^blk-[0-9a-f]{8}$/);
  expect(repeats).toEqual([`${first}-2`, `${first}-3`]);
});

test('E132 an edit elsewhere never renames a block', async () => {
  const before = await blocksOf('Alpha.\n\nBeta.\n\n- Gamma\n');
  const after = await blocksOf('# New title\n\nA new start.\n\nAlpha.\n\nInserted.\n\nBeta.\n\n- Gamma\n');
  const anchorOf = (text: string, blocks: typeof before) =>
    blocks.find(({ content }) => content.includes(text))?.anchor;
  for (const text of ['Alpha', 'Beta', 'Gamma']) expect(anchorOf(text, after)).toBe(anchorOf(text, before));
});

test('E132 blk-0 still means the first block', async () => {
  const target = await writeInstance(pages, 'note', 'target', '', 'First.\n\nSecond.\n');
  const page_id = await writeInstance(pages, 'note', 'points', '', 'See [[note::target#blk-0]].\n');
  const { issues } = await pages.ok('validate', {
    content: instance('note', 'p', '', 'See [[note::target#blk-0]].\n'),
  });
  expect(issues).toEqual([]);
  expect(await edges(page_id, { direction: 'out' })).toMatchObject([{ dst_page: target, dst_anchor: 'blk-0' }]);
});

test('E132 blocks together hold every visible word, in order', async () => {
  const body = `${NAMED}\n> quoted\n\n\`\`\`\ncode line\n\`\`\`\n\n1. first\n   - nested\n`;
  const words = (text: string) => text.replace(/\^\w+/g, '').match(/[A-Za-z0-9]+/g);
  expect(words((await blocksOf(body)).map(({ content }) => content).join('\n'))).toEqual(words(body));
});

test('E136 the body is what was written', async () => {
  const page_id = await writeInstance(pages, 'note', 'body', '', NAMED);
  expect((await pages.ok('expand', { page_id })).body).toBe(NAMED);
});

test.each([
  'markdown/instances/note/deep/er/page.md',
  'anything.md',
  'notes/no-extension',
  'a..b/c..md',
  '.hidden/.page.md',
  'with space/ü 📏.md',
  'a%2e%2e/b%2f.md',
])('E137 the id %j is the caller’s choice', async page_id => {
  await write(pages, { [page_id]: instance('note', `any-${page_id.length}`) });
  expect((await pages.ok('expand', { page_id })).page.page_id).toBe(page_id);
});

test.each([
  '/etc/passwd',
  'a/../b.md',
  '../x.md',
  './x.md',
  'a/./b.md',
  'a\\b.md',
  '..',
  '.',
  'a//b.md',
  'a/',
  'a\u0000b',
])('E138 the id %j is -32602 for reading and for writing', async page_id => {
  for (const [tool, args] of [
    ['expand', { page_id }],
    ['neighbours', { page_id }],
    ['update_page', { page_id, content: instance('note', 'x') }],
  ] as const) {
    const error = await pages.fails(tool, args);
    expect([error.code, typeof error.data.code]).toEqual([-32602, 'string']);
  }
});

test('E139 E141 E142 slug and skill come from the header, whatever the path says', async () => {
  const page_id = 'markdown/instances/meeting/other.md';
  await write(pages, { [page_id]: instance('note', 'my-slug') });
  expect((await pages.ok('expand', { page_id })).page).toMatchObject({
    page_id,
    slug: 'my-slug',
    skill: 'note',
    page_type: 'instance',
  });
  expect((await pages.ok('resolve', { wikilink: '[[note::my-slug]]' })).page.page_id).toBe(page_id);
});

test('E140 a skill page is its own skill', async () => {
  expect((await pages.ok('expand', { page_id: skillPath('note') })).page).toMatchObject({
    slug: 'note',
    skill: 'note',
    page_type: 'skill',
  });
});

test('E141 an instance without a skill falls back to its id', async () => {
  const page_id = path('loose', 'lone');
  await write(pages, { [page_id]: page('type: instance\nid: lone') });
  expect((await pages.ok('expand', { page_id })).page.skill).toBe('lone');
});

test('E143 at is compared as a moment in UTC and kept as written', async () => {
  for (const [id, at] of [
    ['late', '2026-04-12T10:00:00+02:00'],
    ['later', '2026-04-12T09:00:00Z'],
    ['early', '2026-04-12T08:30:00+05:00'],
    ['never', 'some day'],
  ]) {
    await writeInstance(pages, 'meeting', id!, `at: ${at}`);
  }
  const { instances } = await pages.ok('list_instances', { skill_id: 'meeting', order_by: 'at asc' });
  expect(instances.map(({ at }: { at: string }) => at)).toEqual([
    '2026-04-12T08:30:00+05:00',
    '2026-04-12T10:00:00+02:00',
    '2026-04-12T09:00:00Z',
    'some day',
  ]);
});

test('E144 a page with a scenario is seen only in it', async () => {
  const page_id = await writeInstance(pages, 'note', 'what-if', 'scenario: dream');
  expect(await pages.ok('expand', { page_id })).toEqual({ page: null });
  expect((await pages.ok('expand', { page_id, scenario: 'dream' })).page.slug).toBe('what-if');
});

test('E145 a file that says archived is not a page; a file laid there by hand is one', async () => {
  await cairn.logged(({ msg }) => msg === 'files reconciled');
  expect((await pages.ok('expand', { page_id: path('note', 'by-hand') })).body).toBe('Handarbeit\n');
  expect(await pages.ok('expand', { page_id: path('note', 'husk') })).toEqual({ page: null });
  expect((await pages.ok('search', { q: 'Hülle' })).hits).toEqual([]);
});

test('E146 a page written with archived: true is live', async () => {
  const page_id = await writeInstance(pages, 'note', 'archived-by-word', 'archived: true', 'Trotzdem da.\n');
  expect((await pages.ok('expand', { page_id })).frontmatter.archived).toBe(true);
  expect((await pages.ok('search', { q: 'Trotzdem' })).hits).toHaveLength(1);
});

test('[DS7] a rebuild goes by the text: what says archived is no page any more, and nothing is adrift (E145, E146)', async () => {
  const page_id = await writeInstance(pages, 'note', 'until-rebuild', 'archived: true', 'Noch da, Wiesel.\n');
  expect((await pages.ok('search', { q: 'Wiesel' })).hits).toHaveLength(1);
  await pages.ok('rebuild');
  expect(await pages.ok('expand', { page_id })).toEqual({ page: null });
  expect((await pages.ok('search', { q: 'Wiesel' })).hits).toEqual([]);
  expect(await pages.ok('admin_audit')).toEqual({ markdown_not_in_duckdb: [], indexed_but_no_markdown: [] });
  expect(await pages.ok('purge_page', { page_id })).toEqual({ ok: true, issues: [], page_id });
});

test('E149 each source anchor, field and target anchor is an edge of its own', async () => {
  const target = await writeInstance(pages, 'note', 'bill', '', 'Text ^billing\n\nMore ^renewal\n');
  const page_id = await writeInstance(
    pages,
    'note',
    'cites',
    'about: "[[note::bill]]"',
    'A [[note::bill#billing]] ^p\n\nB [[note::bill#renewal]] ^q\n\nC [[note::bill]] ^r\n',
  );
  const found = await edges(page_id, { direction: 'out' });
  const shape = found.map((edge: Record<string, unknown>) => [
    edge['src_field'],
    edge['src_anchor'],
    edge['dst_anchor'],
  ]);
  expect(shape).toHaveLength(4);
  expect(shape).toEqual(
    expect.arrayContaining([
      ['frontmatter.about', null, null],
      [null, 'p', 'billing'],
      [null, 'q', 'renewal'],
      [null, 'r', null],
    ]),
  );
  expect(new Set(found.map((edge: { dst_page: string }) => edge.dst_page))).toEqual(new Set([target]));
});

test('E150 a link carries its version', async () => {
  const page_id = await writeInstance(pages, 'note', 'versioned', '', '[[note::bill@v3]]\n');
  expect(await edges(page_id, { direction: 'out' })).toMatchObject([{ link_version: 'v3' }]);
});

test('E151 E152 links are found in strings, lists and maps of the header, quoted or not', async () => {
  const page_id = await writeInstance(
    pages,
    'note',
    'header-links',
    `one: "[[note::a]]"
two: ["[[note::b]]", ["[[note::c]]"]]
three: {deep: {er: "see [[note::d]] and [[note::e]]"}}
four: [[note::f]]
five:
  - [[note::g]]`,
  );
  const found = await edges(page_id, { direction: 'out' });
  expect(found.map(({ src_field, dst_page }: Record<string, string>) => `${src_field} ${dst_page}`)).toEqual([
    'frontmatter.one a',
    'frontmatter.two b',
    'frontmatter.two c',
    'frontmatter.three d',
    'frontmatter.three e',
    'frontmatter.four f',
    'frontmatter.five g',
  ]);
});

test('E153 a link that YAML reads as a nested list is checked as well', async () => {
  const { issues } = await pages.ok('validate', { content: instance('note', 'n', 'about: [[nowhere::x]]') });
  expect(issues).toMatchObject([{ severity: 'error', code: 'unknown_skill', location: 'frontmatter.about' }]);
});

test('E155 a page is searchable when its write was answered', async () => {
  await writeInstance(pages, 'note', 'fresh', '', 'Zwetschgenkuchen\n');
  expect((await pages.ok('search', { q: 'Zwetschgenkuchen' })).hits).toMatchObject([{ slug: 'fresh' }]);
  await writeInstance(pages, 'note', 'fresh', '', 'Pflaumenmus\n');
  expect((await pages.ok('search', { q: 'Zwetschgenkuchen' })).hits).toEqual([]);
});

test('E159 E182 a fresh tenant has the meta-skill', async () => {
  expect((await pages.ok('expand', { page_id: skillPath('escurel') })).page).toMatchObject({
    slug: 'escurel',
    page_type: 'skill',
  });
});

test('E159 a skill page with that id elsewhere takes its place', async () => {
  const other = await startCairn(
    { CAIRN_AUTH_MODE: 'open', CAIRN_SEED_DIR: 'seed' },
    { 'seed/house/rules.md': skill('escurel', '', '# Our own\n') },
  );
  try {
    const there = client(other.origin);
    expect((await there.ok('resolve', { wikilink: '[[skill::escurel]]' })).page.page_id).toBe(
      'markdown/house/rules.md',
    );
    expect(await there.ok('expand', { page_id: skillPath('escurel') })).toEqual({ page: null });
  } finally {
    await other.stop();
  }
});
