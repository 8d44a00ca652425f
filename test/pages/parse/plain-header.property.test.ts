import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlainHeader } from '../../../src/pages/parse/plain-header.ts';
import { readYaml } from '../../../src/pages/parse/yaml.ts';

const TOKENS = [
  [
    'a',
    'Ä',
    'null',
    'True',
    'FALSE',
    'yes',
    '0',
    '1',
    '01',
    '1e3',
    '1_0',
    '0x1F',
    '0o7',
    '12:30',
    '2026-04-01',
    '.5',
    '1.',
    '٣',
  ],
  [
    ' ',
    '  ',
    ':',
    ': ',
    ' #',
    '#',
    ',',
    ', ',
    '[',
    ']',
    '[]',
    '{',
    '}',
    '"',
    "'",
    '\\',
    '-',
    '- ',
    '---',
    '...',
    '?',
    '? ',
  ],
  [
    '&a',
    '*a',
    '!',
    '!!str',
    '|',
    '>',
    '%',
    '@',
    '`',
    '~',
    '/',
    '(',
    ')',
    '+',
    '_',
    '=',
    '<<',
    '.inf',
    'nan',
    'http://a.b/c',
  ],
  [
    '\t',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\ud800',
    '\udc00',
    '😀',
    '\0',
    '\u001b',
    '\u0301',
    '12345678901234567890',
  ],
].flat();

const token = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a', 'Ä', '1', '0', 'true', '.', ' ', 'e', '-', ':') },
  fc.constantFrom(...TOKENS),
);
const text = fc.array(token, { maxLength: 4 }).map(parts => parts.join(''));
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b c', '12', '"q"', "'x y'", '[[a::b]]', '"[[a::b]]"') },
  { weight: 4, arbitrary: text },
  text.map(inner => `"${inner}"`),
  text.map(inner => `'${inner}'`),
  fc.array(text, { maxLength: 4 }).map(items => `[${items.join(', ')}]`),
  fc.constantFrom(
    '[a,b , c]',
    '[ a ]',
    '[1, true, 0.5, null]',
    '["a"]',
    '["a, b", \'c\', d]',
    '["a" b]',
    '["a": b]',
    '[a,]',
    '[a]]',
    '[a] b',
    'a ',
    '   a   ',
    '',
    ' ',
    'end:',
    'a:b',
  ),
);
const key = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom('type', 'id', 'at', 'k-1', '_x', 'A') },
  fc.constantFrom('true', 'Null', '__proto__', 'constructor', 'on', '1', '"q"', '- a', '? a', 'a b', 'ä', '', '#'),
);
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(key, fc.constantFrom(': ', ': ', ':', ' : ', ':   '), value).map(parts => parts.join('')),
  },
  {
    weight: 15,
    arbitrary: fc
      .tuple(
        fc.constantFrom('type', 'a', 'b'),
        fc.array(fc.tuple(fc.constantFrom('  - ', '  - ', '- ', '    -  ', ' -', '  -'), value), { maxLength: 3 }),
      )
      .map(([name, items]) => [`${name}:`, ...items.map(parts => parts.join(''))].join('\n')),
  },
  fc.constantFrom('', ' ', '# a', '  more', '- item', '---', '...', '%YAML 1.2', 'plain', '  k: v', '}'),
);
const header = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('\n', '\n', '\n', '\n', '\r\n', '\r'),
    fc.boolean(),
  )
  .map(([lines, eol, ended]) => lines.join(eol) + (ended ? eol : ''));

test('[PG4] the short way reads a header exactly as YAML does, or not at all', () => {
  let taken = 0;
  fc.assert(
    fc.property(header, yaml => {
      const plain = readPlainHeader(yaml);
      if (plain === null) return;
      taken++;
      const read = readYaml(yaml);
      const mapping = 'mapping' in read ? read.mapping : null;
      expect([yaml, isDeepStrictEqual(plain, mapping), Object.keys(plain)]).toEqual([
        yaml,
        true,
        Object.keys(mapping ?? {}),
      ]);
    }),
    { numRuns: 10_000 },
  );

  expect(taken).toBeGreaterThan(600);
});

test('[PG4] ordinary headers go the short way', () => {
  const yaml = [
    'type: instance',
    'title: Acme GmbH & Co. (Ulm), since 1984',
    'at: 2026-04-01T10:00:00Z',
    'count: 12',
    'ratio: 0.5',
    'open: true',
    'none:',
    'owner: "[[person::erika]]"',
    "quoted: 'a: b # c'",
    'tags: [a, b c, 3, "[[x::y]], z"]',
    'people:',
    '  - Eva',
    '  - "[[person::eva]]"',
    'none_either:',
    'postcode: 01067',
  ].join('\n');
  expect(readPlainHeader(`${yaml}\n`)).toEqual({
    type: 'instance',
    title: 'Acme GmbH & Co. (Ulm), since 1984',
    at: '2026-04-01T10:00:00Z',
    count: 12,
    ratio: 0.5,
    open: true,
    none: null,
    owner: '[[person::erika]]',
    quoted: 'a: b # c',
    tags: ['a', 'b c', 3, '[[x::y]], z'],
    people: ['Eva', '[[person::eva]]'],
    none_either: null,
    postcode: '01067',
  });
});
