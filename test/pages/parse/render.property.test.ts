import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { dominantEol, parsePage, renderPage, splitHeader, stampHeader } from '../../../src/pages/index.ts';

const ODD = [
  ['', ' ', '---', '...', 'null', 'True', 'NO', 'y', '~', '.inf', '.NaN', '0x1F', '0o7', '01067', '1_000', '12:30:45'],
  ['2026-04-01', '2026-04-01T10:00:00Z', '1e3', '-', '- a', '? a', ': a', 'a: b', 'a:', 'a #b', '#a', '&a', '*a', '!a'],
  [
    '%a',
    '@a',
    '`a',
    '|',
    '>',
    '[a',
    '{a',
    'a, b',
    "'",
    '"',
    '\\',
    'a\nb',
    'a\n---\nb',
    'a\r\nb',
    'a\rb',
    '\n',
    'a\n\n',
  ],
  [
    ' a\nb',
    'a \nb',
    'a\n b',
    '\ta',
    'a\t',
    'a\n\tb',
    '\ufeff',
    '\u0085',
    '\u2028',
    '\u00a0',
    '\ud800',
    '\udc00a',
    '😀',
  ],
  [
    '\0',
    '\u001b',
    '\ufffe',
    '__proto__',
    'constructor',
    '<<',
    '=',
    'https://a.b/c?d=e#f',
    'Größe: 5',
    'end ',
    '[[a::b]]',
  ],
].flat();

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD) },
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme-composite', maxLength: 20 }),
  fc.array(fc.constantFrom(...ODD, 'word', '\n'), { maxLength: 6 }).map(parts => parts.join('')),
);
const number = fc.oneof(
  fc.constantFrom(-0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, -(2 ** 60), 2 ** 53 - 1, 0.1),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { mapping } = fc.letrec<{ value: Json; mapping: JsonObject }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('mapping'),
  ),
  mapping: fc.dictionary(text, tie('value'), { maxKeys: 6, noNullPrototype: true }),
}));
const body = fc.oneof(
  text,
  fc
    .array(fc.constantFrom('\n', '\r', '\r\n', '---', '---\n', ' ', 'text', '[[a]]', '\ufeff'), { maxLength: 6 })
    .map(parts => parts.join('')),
);
const eol = fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const);

/** Null when the file says exactly this; else what it says. */
const otherThan = (frontmatter: JsonObject, written: string, file: string) => {
  const read = splitHeader(file);
  return read.body === written && isDeepStrictEqual(read.frontmatter, frontmatter) ? null : { ...read, file };
};

const nest = (levels: number, wrap: (value: Json, level: number) => Json): JsonObject => {
  let value: Json = 'x';
  for (let level = 1; level < levels; level++) value = wrap(value, level);
  return { a: value };
};

describe('rendering', () => {
  test('[PG40] what is rendered reads back, whatever the mapping and the body', () => {
    fc.assert(
      fc.property(mapping, body, eol, (frontmatter, written, end) => {
        expect(otherThan(frontmatter, written, renderPage(frontmatter, written, end))).toBeNull();
      }),
      { numRuns: 1500 },
    );
  });

  test('[PG40] long keys and long texts', () => {
    const frontmatter = { ['k'.repeat(5000)]: { ['q'.repeat(2000)]: ['x '.repeat(50_000), 'ä\n'.repeat(1000)] } };
    expect(otherThan(frontmatter, 'b', renderPage(frontmatter, 'b'))).toBeNull();
  });

  test('[PG4, PG40] values nest 100 levels deep and no deeper', () => {
    for (const wrap of [
      (value: Json) => ({ a: value }),
      (value: Json) => [value],
      (value: Json, level: number) => (level % 2 === 0 ? [value] : { a: value }),
      (value: Json, level: number) => (level % 3 === 0 ? ['y', value] : { b: 1, a: value }),
    ]) {
      const deep = nest(100, wrap);
      expect(otherThan(deep, 'b', renderPage(deep, 'b'))).toBeNull();
      expect(
        otherThan({ ...deep, k: [] }, 'b', stampHeader(`---\n${JSON.stringify(deep)}\n---\nb`, 'k', [])!),
      ).toBeNull();
      const deeper = nest(101, wrap);
      expect(() => renderPage(deeper, '')).toThrow(RangeError);
      expect(splitHeader(`---\n${JSON.stringify(deeper)}\n---\n`).problem!.code).toBe('malformed_frontmatter');
    }
  });

  test('[PG40] the header looks as a person would write it', () => {
    const frontmatter = {
      type: 'instance',
      title: 'Q3: rollout',
      phone: '01067',
      tags: ['a', 'b c'],
      acl: { read: ['owner'], update: [] },
      people: [{ name: 'Eva', since: 2020 }, [1, 2]],
      text: 'one\ntwo\n',
      url: 'https://a.b/c',
      none: null,
    };
    expect(renderPage(frontmatter, 'Body\n').split('\n')).toEqual([
      '---',
      'type: instance',
      'title: "Q3: rollout"',
      'phone: "01067"',
      'tags:',
      '  - a',
      '  - b c',
      'acl:',
      '  read:',
      '    - owner',
      '  update: []',
      'people:',
      '  - name: Eva',
      '    since: 2020',
      '  - - 1',
      '    - 2',
      'text: |',
      '  one',
      '  two',
      'url: https://a.b/c',
      'none: null',
      '---',
      'Body',
      '',
    ]);
  });
});

describe('stamping', () => {
  test('[PG41] comments, mark, line ends and body stay', () => {
    const file = '\ufeff---\r\n# keep\r\ntype:   skill # me too\r\ntext: |\r\n  a\r\n---\r\n\r\nbody\n';
    expect(stampHeader(file, 'archived', true)).toBe(file.replace('  a\r\n---', '  a\r\narchived: true\r\n---'));
  });

  test('[PG41] a key that is there is replaced', () => {
    expect(stampHeader('---\ntype: skill\narchived: false\n---\n\nb\r', 'archived', true)).toBe(
      '---\ntype: skill\narchived: true\n---\n\nb\r',
    );
    const same = '---\n{type: skill, archived: true}\n---\n';
    expect(stampHeader(same, 'archived', true)).toBe(same);
  });

  test('[PG41] a header that cannot be read is not touched', () => {
    for (const file of ['# a', '---\na: b: c\n---\n', '---\n- a\n---\n', '---\na: b\n', '']) {
      expect(stampHeader(file, 'archived', true)).toBeNull();
    }
  });

  test('[PG41] the key is set, all else is as before', () => {
    const header = fc.constantFrom(
      '{type: skill}',
      '  type: skill\n  id: a',
      'type: skill\ntext: |+\n  a\n\n',
      '"a": "b\n  c"',
    );
    const file = fc.oneof(
      fc.tuple(header, body).map(([lines, written]) => `---\n${lines}\n---\n${written}`),
      fc.tuple(mapping, body, eol).map(([frontmatter, written, end]) => renderPage(frontmatter, written, end)),
    );
    fc.assert(
      fc.property(file, text, text, (content, key, value) => {
        const before = splitHeader(content);
        const stamped = stampHeader(content, key, value)!;
        const wanted = Object.fromEntries([...Object.entries(before.frontmatter), [key, value]]);
        expect(otherThan(wanted, before.body, stamped)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('[PG41] the line end that most lines have', () => {
    expect(dominantEol('a\r\nb\nc\r\n')).toBe('\r\n');
    expect(dominantEol('a\rb\rc\n')).toBe('\r');
    expect(dominantEol('a\nb\r\n')).toBe('\n');
    expect(dominantEol('')).toBe('\n');
  });
});

test('[PG40] a parsed page written anew parses to the same page', () => {
  fc.assert(
    fc.property(mapping, body, (frontmatter, written) => {
      const first = parsePage(renderPage({ ...frontmatter, type: 'skill' }, written));
      const second = parsePage(renderPage(first.frontmatter, first.body));
      expect(first.problem).toBeNull();
      expect(second.body).toBe(first.body);
      expect(isDeepStrictEqual(second.frontmatter, first.frontmatter)).toBe(true);
      expect(second.blocks.map(({ anchor }) => anchor)).toEqual(first.blocks.map(({ anchor }) => anchor));
    }),
  );
});
