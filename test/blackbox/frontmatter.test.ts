import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { page, path, writeSkill } from './page.ts';

let cairn: Cairn;
let pages: Client;
beforeAll(async () => {
  cairn = await startCairn();
  pages = client(cairn.origin);
  await writeSkill(pages, 'note');
});
afterAll(() => cairn.stop());

/** What a written page reads back as. */
async function readBack(content: string) {
  const page_id = path('note', 'x');
  const { ok, issues } = await pages.ok('update_page', { page_id, content });
  expect([ok, issues]).toEqual([true, []]);
  return pages.ok('expand', { page_id });
}

/** The one finding about a draft whose header cannot be read; writing it is refused with the same. */
async function unreadable(content: string) {
  const { ok, issues } = await pages.ok('validate', { content });
  expect([ok, issues.length]).toEqual([false, 1]);
  expect(issues[0]).toMatchObject({ severity: 'error', code: 'frontmatter_parse', message: expect.any(String) });
  const page_id = path('note', 'unreadable');
  const written = await pages.ok('update_page', { page_id, content });
  expect(written).toMatchObject({ ok: false, issues: [{ code: 'frontmatter_parse' }] });
  expect(await pages.ok('expand', { page_id })).toEqual({ page: null });
  return issues[0];
}

const HEADER = 'type: instance\nskill: note\nid: x\ncolour: blue';

test.each([
  ['a byte order mark', `\uFEFF---\n${HEADER}\n---\nText\n`, 'Text\n'],
  ['CRLF', `---\n${HEADER}\n---\nText\nmore\n`.replaceAll('\n', '\r\n'), 'Text\r\nmore\r\n'],
  ['CR', `---\n${HEADER}\n---\nText\n`.replaceAll('\n', '\r'), 'Text\r'],
  ['blank lines', `\n\n---\n${HEADER}\n---\nText\n`, 'Text\n'],
  ['all of it', `\uFEFF\r\n---\r\n${HEADER.replaceAll('\n', '\r\n')}\r\n---\r\nText`, 'Text'],
])('E096 %s does not hide the header', async (_, content, body) => {
  const read = await readBack(content);
  expect(read.frontmatter).toEqual({ type: 'instance', skill: 'note', id: 'x', colour: 'blue' });
  expect(read.body).toBe(body);
});

test('E097 the header ends at the first line that is --- and nothing else', async () => {
  expect((await readBack(`---\n${HEADER}\n---\nText\n---\nmore\n`)).body).toBe('Text\n---\nmore\n');
  expect((await readBack(`---\n${HEADER}\n---`)).body).toBe('');
  await unreadable(`---\n${HEADER}\n--- \nText\n`);
  await unreadable(`---\n${HEADER}\n----\nText\n`);
});

test('E098 a header that is never closed', async () => {
  expect((await unreadable(`---\n${HEADER}\nText\n`)).message).toMatch(/clos/);
});

test.each(['- a\n- b', 'just text', '"a"', '7', 'null', ''])('E099 a header that is no mapping: %j', async header => {
  expect((await unreadable(`---\n${header}\n---\nText\n`)).location).toBe('frontmatter');
});

test('E099 a page without any header', async () => {
  for (const content of ['# Title\n\ntext\n\n---\n', ''])
    expect((await unreadable(content)).location).toBe('frontmatter');
});

test.each(['a: [1', 'a: b: c', 'a: "x', '\ta: 1', 'a: 1\na: 2', '{', 'a: *nowhere', 'a: !!js/function x'])(
  'E100 E370 malformed YAML %j is told with line and column',
  async header => {
    const { location, message } = await unreadable(page(`type: instance\n${header}`));
    expect([location, message]).toEqual(['frontmatter', expect.stringMatching(/line:\d+ col:\d+/)]);
  },
);

test.each(['type: Skill', 'type: INSTANCE', 'type: page', 'type: [skill]', 'type:', 'title: none', 'type: "skill "'])(
  'E101 %s is no type',
  async header => {
    expect((await unreadable(page(`${header}\nid: x\nskill: note`))).message).toContain('type');
  },
);

test('E102 the body is everything behind the line that closes the header', async () => {
  for (const body of ['\n# Title\n', '', '\n\n', 'no line end', '  indented\n\ttab \n', '---\n'])
    expect((await readBack(`---\n${HEADER}\n---\n${body}`)).body).toBe(body);
});

test('E103 every other key is kept', async () => {
  const { frontmatter } = await readBack(
    page(`${HEADER}
list: [1, two, {three: 3}]
nested: {a: {b: [null, true, 1.5]}}
"key with: colon": yes
ünïcödé: ß
text: |-
  line one
  line two`),
  );
  expect(frontmatter).toMatchObject({
    list: [1, 'two', { three: 3 }],
    nested: { a: { b: [null, true, 1.5] } },
    'key with: colon': 'yes',
    ünïcödé: 'ß',
    text: 'line one\nline two',
  });
});

test.each(['2026-04-12T10:00:00+02:00', '2026-04-12', '2026-04-12T10:00:00Z', '2026-04-12 10:00:00'])(
  'E104 the unquoted time %s stays as written',
  async at => {
    expect((await readBack(page(`${HEADER}\nat: ${at}\nother: ${at}`))).frontmatter).toMatchObject({ at, other: at });
  },
);

test('E105 an indented --- inside a block of text closes nothing', async () => {
  const read = await readBack(page(`${HEADER}\ntext: |-\n  a\n  ---\n  b`, 'Text'));
  expect([read.frontmatter.text, read.body]).toEqual(['a\n---\nb', 'Text']);
});

test('E147 content_sha256 is the lower-case hex digest of the stored bytes', async () => {
  const content = page(`${HEADER}\nname: Größe 📏`, 'Zeile\n');
  expect((await readBack(content)).content_sha256).toBe(createHash('sha256').update(content).digest('hex'));
});
