import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { parsePage, parseWikilink, project } from '../../../src/pages/index.ts';

/** Counts the characters that string and pattern methods may look at while `run` works. */
function charactersRead(run: () => void): number {
  let read = 0;
  const text = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const wrap = (name: string, cost: (self: string, args: readonly unknown[], result: unknown) => number) => {
    const original = text[name]!;
    text[name] = function counted(this: string, ...args: unknown[]) {
      const result = original.apply(this, args);
      read += cost(this, args, result);
      return result;
    };
    undo.push(() => void (text[name] = original));
  };
  wrap('charCodeAt', () => 1);
  wrap('indexOf', (self, [, from], at) => (Number(at) === -1 ? self.length : Number(at) + 1) - Number(from ?? 0));
  for (const name of ['slice', 'trim', 'trimStart', 'normalize', 'toLowerCase'])
    wrap(name, (_, __, result) => String(result).length);
  for (const name of ['split', 'replace', 'includes', 'startsWith'])
    wrap(name, (self, args) => (name === 'startsWith' ? String(args[0]).length : self.length));
  const pattern = RegExp.prototype as unknown as Record<string, (subject: string) => unknown>;
  for (const name of ['exec', 'test']) {
    const original = pattern[name]!;
    pattern[name] = function counted(this: RegExp, subject: string) {
      read += subject.length;
      return original.call(this, subject);
    };
    undo.push(() => void (pattern[name] = original));
  }
  try {
    run();
  } finally {
    restore();
  }
  return read;
}

const undo: (() => void)[] = [];
const restore = () => {
  while (undo.length > 0) undo.pop()!();
};
afterEach(restore);

/** Texts that make a careless reader look again and again. */
const REPEATED = [
  [
    '[[',
    '[',
    ']]',
    '[[a',
    '[[a]] ',
    '[[a|',
    '[[a\n',
    '`',
    '`` ` ',
    '`[[a]] ',
    '[[`]]',
    'a',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
  ],
  [
    '- ',
    '- a\n',
    '-\n',
    '> ',
    '>\n',
    '> a\n',
    '#',
    '# ',
    '# a\n',
    '---\n',
    '***',
    '* * ',
    '=\n',
    'a\n=\n',
    '```\n',
    '~~~\n',
  ],
  [
    '```',
    '``` `',
    '<!--',
    '<!--\n',
    '<div>\n',
    '<a ',
    '|',
    '|-|\n',
    'a|b\n-|-\n',
    '1. a\n',
    '1234567890',
    '^a',
    ' ^a\n',
    '^a\n',
  ],
  ['a ^a\n\n', 'a\n\n', '    a\n', '::', '@#', '%23', '\u0000', '\ufeff', '\ud800', 'ä', '\n\n    ', '- a\n\n\n'],
].flat();

const runs = (count: number) => Array.from({ length: count }, (_, index) => '`'.repeat(index + 1)).join(' [[a]] ');
const lists = (count: number) =>
  Array.from({ length: count }, (_, index) => `${'  '.repeat(index)}- a\n`).join('') + 'lazy\n'.repeat(count * count);
const quadratic = (text: string) => {
  for (let at = 0; at < text.length; at++) text.slice(at).includes('x');
};

describe('work', () => {
  test.each(REPEATED)('[PG45] grows with the length alone: %j again and again', unit => {
    const cost = (length: number) => {
      const body = unit.repeat(Math.ceil(length / unit.length));
      return charactersRead(() => void parsePage(`---\ntype: skill\n---\n${body}`));
    };
    const [small, large] = [cost(4000), cost(16_000)];
    expect(large).toBeGreaterThan(16_000);
    expect(large).toBeLessThan(16_000 * 30);
    expect(large / small).toBeLessThan(4.6);
  });

  test('[PG45] grows with the length alone: runs of growing length, deep lists with lazy lines', () => {
    for (const make of [runs, lists]) {
      const per = (count: number) => {
        const body = make(count);
        return charactersRead(() => void parsePage(body)) / body.length;
      };
      expect(per(120) / per(40)).toBeLessThan(1.5);
    }
  });

  test('[PG45] the counting sees work that grows faster', () => {
    expect(
      charactersRead(() => quadratic('a'.repeat(400))) / charactersRead(() => quadratic('a'.repeat(100))),
    ).toBeGreaterThan(10);
  });
});

test('[PG45] any text parses', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...REPEATED,
      '---\n',
      '---\ntype: skill\n',
      '---\n---\n',
      '\ufeff',
      '[[a::b#c@d|e]]',
      '&a',
      '*a',
      '{',
      '}',
      ': ',
      '? ',
      '"',
      "'",
      '!!',
      '%YAML 1.2\n',
    ),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit)) }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
      const text = pieces.join('');
      const page = parsePage(text);
      expect(text.endsWith(page.body)).toBe(true);
      expect(project(text, text).facts.unreadable).toBe(page.problem !== null);
      parseWikilink(text);
    }),
    { numRuns: 3000 },
  );
});

test('[PG45] a large page is no special case', () => {
  const item = '- text with [[skill::id]] and `code` ^a\n';
  const page = parsePage(`# A\n\n${item.repeat(50_000)}`);
  expect(page.blocks).toHaveLength(50_001);
  expect(page.links).toHaveLength(50_000);
  expect(page.blocks.at(-1)!.anchor).toBe('a-50000');
  expect(page.links.at(-1)).toMatchObject({ line: 50_002, column: 13, srcAnchor: 'a-50000' });
});
