import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePage, renderPage } from '../../../src/pages/index.ts';
import type { PageLink } from '../../../src/pages/model.ts';

const idsOf = (text: string) => parsePage(text).links.map(({ link }) => link.id);
const header = (lines: string) => parsePage(`---\ntype: instance\n${lines}\n---\nbody [[in::body]]\n`);

/** What stands in the file where a link says it stands. */
const standing = (file: string, { line, column, text }: PageLink) =>
  file.split(/\r\n|\r|\n/)[line - 1]!.slice(column - 1, column - 1 + text.length);

describe('code', () => {
  test.each([
    ['inline code', 'a `[[no]]` [[yes]]'],
    ['inline code of two marks', 'a ``[[no]] ` [[no]]`` [[yes]]'],
    ['a mark that nothing closes', 'a ` [[yes]]\n` b'],
    ['a span that begins in a link', '[[n`o]] ` [[yes]]'],
    ['a fence', '```\n[[no]]\n```\n[[yes]]'],
    ['a fence with a language', 'x\n```sql\n[[no]]\n```\n[[yes]]'],
    ['an indented fence', '      ```\n[[no]]\n      ```\n[[yes]]'],
    ['tildes', '~~~\n[[no]]\n```\n[[no]]\n~~~\n[[yes]]'],
    ['tildes inside backticks', '```\n~~~\n[[no]]\n```\n[[yes]]'],
    ['a longer fence around a shorter one', '````\n```\n[[no]]\n```\n[[no]]\n````\n[[yes]]'],
    ['a fence behind a list mark', '- ```\n  [[no]]\n  ```\n- [[yes]]'],
    ['three marks that are inline code', '```[[no]]``` is code\n\n[[yes]]'],
    ['an open fence', '[[yes]]\n\n```\n[[no]]\n\n# [[no]]\n'],
    ['open tildes', '[[yes]]\n~~~\n[[no]]\n'],
    ['indented code', 'text\n\n    [[no]]\n\n\t[[no]]\n\n[[yes]]'],
    ['indented code first', '    [[no]]\n[[yes]]'],
    ['an indented line that goes on with a paragraph', 'text\n    [[yes]]'],
    ['indented code of an item', '- a\n\n      [[no]]\n\n  [[yes]]'],
    ['an indented paragraph of an item', '1. a\n\n   [[yes]]'],
    ['a heading, a quote, a table', '# [[yes]]', '> [[yes]]', '| a |\n| - |\n| [[yes]] |'],
  ])('[PG15] %s', (_, ...texts) => {
    for (const text of texts) {
      const ids = idsOf(text);
      expect(ids).toContain('yes');
      expect(ids).not.toContain('no');
      expect(ids).not.toContain('n`o');
      expect(idsOf(text.replaceAll('\n', '\r\n'))).toEqual(ids);
      expect(idsOf(text.replaceAll('\n', '\r'))).toEqual(ids);
    }
  });

  test('[PG15] order of the file, header first, duplicates kept', () => {
    const text = '---\ntype: skill\na: "[[h2]] [[h1]]"\nb: "[[h2]]"\n---\n[[b1]] [[b1]]\n\n- [[b2]]\n# [[b1]]\n';
    expect(idsOf(text)).toEqual(['h2', 'h1', 'h2', 'b1', 'b1', 'b2', 'b1']);
  });
});

describe('header', () => {
  test.each([
    ['a string', 'about: see [[a::b]]', ['about']],
    ['a quoted string', 'about: "[[a::b]]"', ['about']],
    ['a list', 'about:\n  - "[[a::b]]"\n  - x [[a::b]]', ['about', 'about']],
    ['a nested list and a mapping', 'm:\n  - - x\n    - k: {d: "[[a::b]]"}', ['m']],
    ['an unquoted link', 'about: [[a::b]]', ['about']],
    ['an unquoted list of links', 'about:\n  - [[a::b]]\n  - [[ a :: b ]]', ['about', 'about']],
    ['a flow list of unquoted links', 'about: [[[a::b]], [[a::b]]]', ['about', 'about']],
    ['an alias', 'x: &x "[[a::b]]"\ny: *x', ['x', 'y']],
    ['two keys', '"1": "[[a::b]]"\nkey with space: "[[a::b]]"', ['1', 'key with space']],
  ])('[PG16] %s', (_, lines, keys) => {
    const links = header(lines).links.filter(({ field }) => field !== null);
    expect(links.map(({ field }) => field)).toEqual(keys.map(key => `frontmatter.${key}`));
    for (const { link, srcAnchor } of links) {
      expect([link.skill, link.id, srcAnchor]).toEqual(['a', 'b', null]);
    }
  });

  test.each([
    ['[[note::Meeting: a/b]]', ['note', 'Meeting: a/b']],
    ['[[note::Meeting, Berlin]]', ['note', 'Meeting, Berlin']],
    ['[[a::b#c@v1|Text]]', ['a', 'b']],
    ['[[plain]]', [null, 'plain']],
  ])('[PG16] unquoted %s', (text, [skill, id]) => {
    const [link] = header(`about: ${text}`).links;
    expect([link!.link.skill, link!.link.id, link!.text, link!.line]).toEqual([skill, id, text, 3]);
  });

  test.each(['matrix: [[1, 2], [3, 4]]', 'matrix: [[1]]', 'names: [[a, b]]', 'deep: [[{a: 1}]]', 'x: [[a], [b]]'])(
    '[PG16] %s is data',
    lines => {
      expect(header(lines).links.map(({ field }) => field)).toEqual([null]);
    },
  );

  test('[PG17] a link that an escape or a folded line hides has no place', () => {
    const links = header('a: "\\u005b[a::b]]"\nb: "[[a::b\n  c]]"\n# [[a::b]]\nc: "[[a::b]]"').links;
    expect(links.map(({ line, column, text }) => [line, column, text])).toEqual([
      [7, 5, '[[a::b]]'],
      [0, 0, '[[a::b c]]'],
      [0, 0, '[[a::b]]'],
      [9, 6, '[[in::body]]'],
    ]);
  });
});

describe('places', () => {
  const word = fc.stringMatching(/^[a-zäß😀]{1,6}$/u);
  const link = fc.tuple(word, word).map(([skill, id]) => `[[${skill}::${id}]]`);
  const piece = fc.oneof(
    word,
    link,
    fc.constantFrom(' ', '- ', '# ', '> ', '\n', '\n\n', '`', '    ', '| a | b |\n| - | - |\n'),
  );
  const eol = fc.constantFrom('\n', '\r\n', '\r');
  const bom = fc.constantFrom('', '\ufeff');

  test('[PG17] every link stands where it says', () => {
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.array(link),
        eol,
        bom,
        fc.boolean(),
        (pieces, inHeader, lineEnd, mark, headed) => {
          const body = pieces.join('').replaceAll('\n', lineEnd);
          const file = mark + (headed ? renderPage({ type: 'skill', links: inHeader }, body, lineEnd) : body);
          const { links } = parsePage(file);
          expect(links.filter(({ field }) => field !== null)).toHaveLength(headed ? inHeader.length : 0);
          for (const found of links) expect(standing(file, found)).toBe(found.text);
        },
      ),
    );
  });

  test('[PG17] the column counts UTF-16 units of the whole file', () => {
    expect(parsePage('\ufeffä 😀 [[a]]').links.map(({ line, column }) => [line, column])).toEqual([[1, 7]]);
    expect(
      parsePage('---\r\ntype: skill\r\n---\r\n\r\nx [[a]]').links.map(({ line, column }) => [line, column]),
    ).toEqual([[5, 3]]);
  });

  test('[PG18] a link carries the anchor of its block', () => {
    const { links } = parsePage(
      '# [[h]] ^head\n\n[[p]] text ^para\n\n- [[i]] ^one\n  - [[n]] ^two\n\n| [[t]] |\n| - |\n^tab\n',
    );
    expect(links.map(({ link: { id }, srcAnchor }) => [id, srcAnchor])).toEqual([
      ['h', 'head'],
      ['p', 'para'],
      ['i', 'one'],
      ['n', 'two'],
      ['t', 'tab'],
    ]);
  });
});
