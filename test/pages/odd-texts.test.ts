import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
const path = (file: string): string => `markdown/instances/doc/${file}.md`;
const put = (file: string, body: string, header = {}) =>
  ann.call('update_page', { page_id: path(file), content: instancePage('doc', file, header, body) });
const bodyOf = async (file: string, more = {}) => (await ann.call('expand', { page_id: path(file), ...more })).body;

/** Patches the block of that name as an agent would: reads it first. */
async function patch(file: string, anchor: string, action: string, content?: string) {
  const { blocks } = await ann.call('expand', { page_id: path(file), anchor });
  const args = { page_id: path(file), anchor, action, expected_sha256: blocks[0].sha256 };
  return ann.call('patch_page', { ...args, ...(content === undefined ? {} : { content }) });
}

beforeAll(async () => {
  w = await world();
  ann = await w.as({ sub: 'ann' });
  await w.put({ 'markdown/skills/doc.md': skillPage('doc') });
});
afterAll(() => w.end());

test('[PG90] a skill named in either Unicode form is one', async () => {
  const [nfd, nfc] = ['ku\u0308che', 'k\u00fcche'];
  await w.put({
    [`markdown/skills/${nfd}.md`]: skillPage(nfd),
    'markdown/instances/k/herd.md': instancePage(nfc, 'herd', {}, 'zwetschge'),
    'markdown/instances/k/topf.md': instancePage(nfd, 'topf', {}, `on [[${nfd}::herd]]`),
  });
  for (const skill of [nfd, nfc]) {
    const { instances } = await ann.call('list_instances', { skill_id: skill });
    expect(instances).toHaveLength(2);
    const { edges } = await ann.call('neighbours', { page_id: 'markdown/instances/k/topf.md', link_skill: skill });
    expect(edges).toMatchObject([{ dst_page: 'markdown/instances/k/herd.md', link_skill: nfc }]);
    const backwards = { page_id: 'markdown/instances/k/herd.md', link_skill_in: [skill], direction: 'in' };
    expect((await ann.call('neighbours', backwards)).edges).toHaveLength(1);
    expect((await ann.call('search', { q: 'zwetschge', skill })).hits).toHaveLength(1);
  }
});

test('[PG130] a part of one character is a whole one', async () => {
  await put('smileys', '😀😀a');
  const parts: string[] = [];
  for (let next: string | null | undefined; next !== null;) {
    const part = await ann.call('expand', { page_id: path('smileys'), max_chars: 1, ...(next ? { next } : {}) });
    parts.push(part.body);
    next = part.next;
  }
  expect(parts).toEqual(['😀', '😀', 'a']);
});

test.each(['```\nopen', '~~~ js\nopen', '<!-- open', 'first\n\n````\n```\n'])(
  '[PG132] a patch that would swallow what follows is refused: %j',
  async content => {
    await put('fences', 'one ^a\n\ntwo ^b');
    expect(await patch('fences', 'a', 'replace', content)).toMatchObject({
      ok: false,
      issues: [{ code: 'open_block', location: 'content' }],
    });
    expect(await patch('fences', 'a', 'insert_before', content)).toMatchObject({ ok: false });
    expect(await bodyOf('fences')).toBe('one ^a\n\ntwo ^b');
    // Nothing follows the last block, and what is closed swallows nothing.
    expect(await patch('fences', 'b', 'insert_after', content)).toMatchObject({ ok: true });
  },
);

test('[PG132] closed code of any kind can be patched in', async () => {
  await put('closed', 'one ^a\n\ntwo ^b');
  for (const content of [
    '```\nx\n```',
    '    indented',
    '<!-- x -->',
    '- item\n  ```\n  x\n  ```',
    '| a |\n|---|',
    '> q',
  ]) {
    expect(await patch('closed', 'b', 'insert_before', content)).toMatchObject({ ok: true });
  }
  expect((await ann.call('expand', { page_id: path('closed') })).blocks.at(-1)).toEqual({
    anchor: 'b',
    content: 'two',
  });
});

test('[PG132] the last block of a text without a final line break is patched and removed', async () => {
  await put('last', 'one\n\nlast ^z');
  expect(await patch('last', 'z', 'insert_after', 'after')).toMatchObject({ ok: true });
  expect(await bodyOf('last')).toBe('one\n\nlast ^z\n\nafter');
  expect(await patch('last', 'z', 'remove')).toMatchObject({ ok: true });
  expect(await bodyOf('last')).toBe('one\n\nafter');
  await put('only', 'only ^z');
  expect(await patch('only', 'z', 'remove')).toMatchObject({ ok: true });
  expect(await bodyOf('only')).toBe('');
});

test('[PG2] [PG132] a file with a mark and CRLF keeps both when it is patched', async () => {
  const content = `\uFEFF${instancePage('doc', 'crlf', {}, 'one ^a\n\ntwo ^b').replaceAll('\n', '\r\n')}`;
  expect(await ann.call('update_page', { page_id: path('crlf'), content })).toMatchObject({ ok: true });
  expect(await patch('crlf', 'b', 'replace', 'zwei\nZeilen')).toMatchObject({ ok: true });
  expect(await bodyOf('crlf')).toBe('one ^a\r\n\r\nzwei\r\nZeilen ^b');
});

test('[PG4] [PG7] anchors and aliases, odd numbers, dates and keys that JavaScript knows are kept as they are', async () => {
  const header = [
    'base: &b {a: 1}',
    'use: *b',
    'when: 2026-01-02',
    'big: 12345678901234567890',
    'nan: .nan',
    'hex: 0xff',
    'yes: yes',
    '__proto__: {x: 1}',
    'constructor: c',
  ].join('\n');
  const content = `---\ntype: instance\nskill: doc\nid: yaml\n${header}\n---\nBody\n`;
  expect(await ann.call('update_page', { page_id: path('yaml'), content })).toMatchObject({ ok: true, issues: [] });
  const { frontmatter } = await ann.call('expand', { page_id: path('yaml') });
  expect(JSON.stringify(frontmatter)).toBe(
    '{"type":"instance","skill":"doc","id":"yaml","base":{"a":1},"use":{"a":1},"when":"2026-01-02","big":"12345678901234567890",' +
      '"nan":".nan","hex":255,"yes":"yes","__proto__":{"x":1},"constructor":"c"}',
  );
  const listed = async (args: object) =>
    (await ann.call('list_instances', { skill_id: 'doc', ...args })).instances.map(
      (row: { page_id: string }) => row.page_id,
    );
  expect(await listed({ filter: { constructor: 'c' } })).toEqual([path('yaml')]);
  expect(await listed({ filter: { toString: 'c' } })).toEqual([]);
  expect(await listed({ frontmatter_key: '__proto__.x', frontmatter_value: '1' })).toEqual([path('yaml')]);
});

test('[PG22] of blocks with one name the first keeps it, and every name means one block', async () => {
  await put('twice', 'one ^a\n\ntwo ^a\n\nthree ^a-2\n\nfour ^a\n');
  const { blocks } = await ann.call('expand', { page_id: path('twice') });
  const anchors = blocks.map(({ anchor }: { anchor: string }) => anchor);
  expect(anchors[0]).toBe('a');
  expect(anchors[2]).toBe('a-2');
  expect(new Set(anchors).size).toBe(4);
  expect(await patch('twice', anchors[1], 'replace', 'zwei')).toMatchObject({ ok: true });
  expect(await bodyOf('twice')).toBe('one ^a\n\nzwei ^a\n\nthree ^a-2\n\nfour ^a\n');
});

test('[PG113] texts with control characters, which only files can bring, are compared', async () => {
  const file = join(w.dataDir, path('binary'));
  mkdirSync(dirname(file), { recursive: true });
  const text = (odd: string): string => instancePage('doc', 'binary', {}, `a\0${odd}\u0001\n\u2028x\u2029\uFFFF\nlast`);
  const version = async () => (await ann.call('expand', { page_id: path('binary') })).version;
  writeFileSync(file, text('b'));
  await expect.poll(version, { timeout: 20_000 }).toBe('v1');
  writeFileSync(file, text('c'));
  await expect.poll(version, { timeout: 20_000 }).toBe('v2');
  const diff = await ann.call('diff_page', { page_id: path('binary'), from: 'v1' });
  expect(diff.unified).toContain('-a\0b\u0001\n+a\0c\u0001\n');
  expect(diff.blocks.length).toBeGreaterThan(0);
});

test('[PG113] two long texts without a line in common are compared', async () => {
  const lines = (word: string): string =>
    Array.from({ length: 5000 }, (_, n) => `${word}${(n * 7919) % 100}`).join('\n');
  await put('lines', lines('a'));
  await put('lines', lines('b'));
  const { unified } = await ann.call('diff_page', { page_id: path('lines'), from: 'v1' });
  expect(unified.split('\n').filter((line: string) => /^-a\d/.test(line))).toHaveLength(5000);
  expect(unified.split('\n').filter((line: string) => /^\+b\d/.test(line))).toHaveLength(5000);
});

test('[PG105] [PG69] [PG70] a move is refused onto a live page and below one, and may share a slug', async () => {
  await put('m1', 'one', { id: 'same' });
  await put('m2', 'two', { id: 'same' });
  const move = (from: string, to: string) => ann.call('move_page', { from: path(from), to: path(to) });
  expect(await move('m1', 'm2')).toMatchObject({ ok: false, issues: [{ code: 'conflict', location: 'to' }] });
  expect(await move('m1', 'm2.md/x')).toMatchObject({ ok: false, issues: [{ code: 'page_id_conflict' }] });
  expect(await move('m1', 'm3')).toMatchObject({ ok: true });
  expect((await ann.call('resolve', { wikilink: '[[doc::same]]' })).page.page_id).toBe(path('m2'));
  expect(await move('m3', 'M1')).toMatchObject({ ok: true });
  expect((await ann.call('resolve', { wikilink: '[[doc::same]]' })).page.page_id).toBe(path('M1'));
});

test('[PG143] [PG100] [PG114] an overlay that is deleted uncovers its base, and comes back over a base that is gone', async () => {
  await put('ov', 'base');
  await put('ov-s', 'over', { id: 'ov', scenario: 's' });
  const seen = () => bodyOf('ov', { scenario: 's' });
  expect(await seen()).toBe('over');
  await ann.call('delete_page', { page_id: path('ov-s') });
  expect(await seen()).toBe('base');
  await ann.call('delete_page', { page_id: path('ov') });
  expect(await ann.call('expand', { page_id: path('ov'), scenario: 's' })).toEqual({ page: null });
  expect(await ann.call('restore_page', { page_id: path('ov-s'), version: 'v1' })).toMatchObject({ ok: true });
  const link = async (more: object) => (await ann.call('resolve', { wikilink: '[[doc::ov]]', ...more })).page?.page_id;
  expect([await link({ scenario: 's' }), await link({})]).toEqual([path('ov-s'), undefined]);
});

test('[PG132] one block of a page of two megabytes is patched, and all else keeps its bytes', async () => {
  const fill = 'Ein Absatz mit Wörtern und 😀.\n\n'.repeat(32_000);
  await put('huge', `${fill}the one ^here\n\n${fill}`);
  expect(await patch('huge', 'here', 'replace', 'another')).toMatchObject({ ok: true, new_version: 'v2' });
  expect((await bodyOf('huge')) === `${fill}another ^here\n\n${fill}`).toBe(true);
});
