import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findAnchor, parsePage } from '../../../src/pages/index.ts';

const contents = (text: string) => parsePage(text).blocks.map(({ content }) => content);
const anchors = (text: string) => parsePage(text).blocks.map(({ anchor }) => anchor);
const hashed = (text: string) => `blk-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;

describe('cutting', () => {
  test.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['blank lines', ' \n\t\n', []],
    ['paragraphs', 'a\nb\n\nc\n', ['a\nb', 'c']],
    ['headings', '# A\ntext\n## B ##\nC\n===\nD\n---\n', ['# A', 'text', '## B ##', 'C\n===', 'D\n---']],
    ['no headings', '#tag\n####### seven\n', ['#tag\n####### seven']],
    ['a rule', 'a\n\n---\n\n* * *\nb\n', ['a', 'b']],
    ['a list', 'x\n- a\n- b\n  more\nlazy\n- c\n', ['x', '- a', '- b\n  more\nlazy', '- c']],
    [
      'a nested list',
      '- a\n  - b\n\n    more b\n  - c\n\n  more a\n- d',
      ['- a', '- b\n\n    more b', '- c', 'more a', '- d'],
    ],
    ['numbers', '1. a\n2. b\n10) c\n', ['1. a', '2. b', '10) c']],
    ['a number that begins no list', 'It was\n1984. A year\n', ['It was\n1984. A year']],
    ['code in an item', '- a\n\n  ```\n  - no\n  ```\n- b', ['- a\n\n  ```\n  - no\n  ```', '- b']],
    ['fenced code', 'a\n```js\n# no\n\n- no\n```\nb', ['a', '```js\n# no\n\n- no\n```', 'b']],
    ['open fenced code', '```\na\n\nb\n\n', ['```\na\n\nb']],
    ['indented code', 'a\n\n    x\n\n      y\n\nb', ['a', '    x\n\n      y', 'b']],
    ['a table', 'text\n| a | b |\n| - | - |\n| 1 | 2 |\n\nb', ['text', '| a | b |\n| - | - |\n| 1 | 2 |', 'b']],
    ['a table without outer pipes', 'a | b\n--|--\n1 | 2\n', ['a | b\n--|--\n1 | 2']],
    ['a quote', '> a\nlazy\n> b\n\n> c\n', ['> a\nlazy\n> b', '> c']],
    ['HTML', '<div>\n- a\n</div>\n\n<!-- a\n\nb -->\nc', ['<div>\n- a\n</div>', '<!-- a\n\nb -->', 'c']],
    ['inline HTML', '<b>Note</b> that\n- a\n<br>\n- b\n', ['<b>Note</b> that', '- a\n<br>', '- b']],
    ['a tag alone', '<my-tag a="b">\n# a\n\n# b', ['<my-tag a="b">\n# a', '# b']],
    ['scripts', '<pre>\n\n# a\n</PRE>\nb', ['<pre>\n\n# a\n</PRE>', 'b']],
    ['what follows a list', '- a\n\nb\n\n    code', ['- a', 'b', '    code']],
    ['the body alone', '---\ntype: skill\n---\n\n# A\n', ['# A']],
  ])('[PG20] %s', (_, text, expected) => {
    expect(contents(text)).toEqual(expected);
    for (const eol of ['\r\n', '\r']) {
      expect(contents(text.replaceAll('\n', eol))).toEqual(expected.map(content => content.replaceAll('\n', eol)));
    }
  });

  test('[PG20] a header that YAML cannot read is one block without its fences', () => {
    const { blocks } = parsePage('---\ntype: skill\ntitle: Q3: rollout\n---\n# A\n');
    expect(blocks.map(({ content, line }) => [content, line])).toEqual([
      ['type: skill\ntitle: Q3: rollout', 2],
      ['# A', 5],
    ]);
  });
});

describe('names', () => {
  test.each<[string, string, string, string]>([
    ['a paragraph', 'a\nb ^name', 'name', 'a\nb'],
    ['a paragraph, on its last line', 'a\nb\n^name\n', 'name', 'a\nb'],
    ['an item', '- a ^name', 'name', '- a'],
    ['an item with more lines', '- a\n  b\n\n  c ^name\n', 'name', '- a\n  b\n\n  c'],
    ['a heading', '## A ^name', 'name', '## A'],
    ['an underlined heading', 'A ^name\n---', 'name', 'A\n---'],
    ['a quote', '> a ^name', 'name', '> a'],
    ['a table', '| a |\n| - |\n| 1 |\n^name', 'name', '| a |\n| - |\n| 1 |'],
    ['a table, behind a blank line', '| a |\n| - |\n\n^name', 'name', '| a |\n| - |'],
    ['code', '```\na ^no\n```\n^name', 'name', '```\na ^no\n```'],
    ['letters of every kind', 'a ^0-Ab_c', '0-Ab_c', 'a'],
  ])('[PG21] %s', (_, text, anchor, content) => {
    expect(parsePage(text).blocks).toMatchObject([{ anchor, content }]);
  });

  test.each([
    'a^name',
    'a ^name b',
    'a ^-name',
    'a ^_x',
    'a ^ä',
    'a ^',
    '^name',
    'a\n\n\n^name',
    'a\n\n---\n^name',
    '`x`^2',
  ])('[PG21] %j names nothing', text => {
    const { blocks } = parsePage(text);
    for (const { anchor } of blocks) expect(anchor).toMatch(/^blk-[0-9a-f]{8}$/);
    expect(blocks.map(({ content }) => content).join(' ')).toContain('^');
  });

  test('[PG22] the name of a block is made of its text', () => {
    expect(anchors('Some text.\n')).toEqual([hashed('Some text.')]);
    expect(anchors('a\r\nb')).toEqual([hashed('a\nb')]);
    expect(anchors('a\rb')).toEqual(anchors('a\nb'));
    expect(anchors('1. a\n2. b\n')).toEqual(anchors('7) a\n8) b\n'));
    expect(anchors('- a')).toEqual([hashed('a')]);
  });

  test('[PG22] names are unique', () => {
    const blk = hashed('a');
    expect(anchors('a\n\na\n\na')).toEqual([blk, `${blk}-2`, `${blk}-3`]);
    expect(anchors('a ^x\n\nb ^x\n\nc ^x-2\n\nd ^x')).toEqual(['x', 'x-3', 'x-2', 'x-4']);
    expect(anchors(`a\n\nb ^${blk}\n`)).toEqual([`${blk}-2`, blk]);
  });

  test('[PG24] headings above, and lines', () => {
    const text = '---\ntype: skill\n---\nfirst\n# A ^top\na\n### B #\n- b\n## C#\nc\n\nD\n=\nd\n';
    expect(
      parsePage(text).blocks.map(({ content, headings, line, title }) => [content, headings, line, title]),
    ).toEqual([
      ['first', [], 4, undefined],
      ['# A', [], 5, 'A'],
      ['a', ['A'], 6, undefined],
      ['### B #', ['A'], 7, 'B'],
      ['- b', ['A', 'B'], 8, undefined],
      ['## C#', ['A'], 9, 'C#'],
      ['c', ['A', 'C#'], 10, undefined],
      ['D\n=', [], 12, 'D'],
      ['d', ['D'], 14, undefined],
    ]);
  });

  test('[PG25] what an anchor means', () => {
    const { blocks } = parsePage(
      'start ^one\n\n# Über uns\n\n## Contact & Team\n\ntext\n\n# Sales\n\n## Contact & Team ^st\n\n## blk-0\n',
    );
    const found = (anchor: string) => findAnchor(blocks, anchor)?.line;
    expect(found('one')).toBe(1);
    expect(found('^one')).toBe(1);
    expect(found(blocks[3]!.anchor)).toBe(7);
    expect(found('blk-0')).toBe(1);
    expect(found('über  UNS')).toBe(3);
    expect(found('Über uns'.normalize('NFD'))).toBe(3);
    expect(found('contact--team')).toBe(5);
    expect(found('Contact & Team')).toBe(5);
    expect(found('Sales#Contact & Team')).toBe(11);
    expect(found('st')).toBe(11);
    for (const missing of ['', '^', 'nothing', 'text', 'Sales#Über uns', '#', '&'])
      expect(found(missing)).toBeUndefined();
    expect(findAnchor([], 'blk-0')).toBeUndefined();
  });
});
