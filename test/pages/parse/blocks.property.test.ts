import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePage } from '../../../src/pages/index.ts';

const word = fc.stringMatching(/^[a-zäöü]{1,8}$/);
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map(list => list.join(' '));
const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,6}$/);
const anchor = fc.option(name, { nil: null }).map(text => (text === null ? '' : ` ^${text}`));

/** Chunks of markdown that end where they end: nothing behind a blank line goes on with them. */
const chunk = fc.oneof(
  fc.tuple(fc.array(words, { minLength: 1, maxLength: 3 }), anchor).map(([lines, end]) => lines.join('\n') + end),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), words, anchor)
    .map(([level, text, end]) => `${'#'.repeat(level)} ${text}${end}`),
  fc.tuple(words, anchor).map(([text, end]) => `${text}${end}\n---`),
  fc
    .array(fc.tuple(fc.constantFrom('- ', '  - ', '1. ', '* '), words, anchor), { minLength: 1, maxLength: 4 })
    .map(items => items.map(([mark, text, end]) => mark.trimStart() + text + end).join('\n')),
  words.map(text => `- ${text}\n  - ${text} inner\n\n    more ${text}\n- ${text} last`),
  fc.tuple(words, words).map(([head, cell]) => `| ${head} |\n| --- |\n| ${cell} |`),
  words.map(text => `\`\`\`\n# ${text}\n\n- ${text}\n\`\`\``),
  words.map(text => `> ${text}\n> - ${text}`),
  words.map(text => `<!-- ${text}\n\n${text} -->`),
  fc.constant('---'),
);

const visible = (text: string) => text.replace(/\s+/g, '');
const other = (chunks: readonly string[]) => chunks.map(text => text.replace(/[a-zäöü]+/g, found => `other${found}`));
const names = (text: string) => parsePage(text).blocks.map(({ anchor: own }) => own);

const namesOf = (above: readonly string[], kept: string, below: readonly string[], head: string) =>
  parsePage(head + [...other(above), kept, ...other(below)].join('\n\n'))
    .blocks.filter(({ content }) => !content.includes('other'))
    .map(({ anchor: own }) => own);

test('[PG20] the blocks hold every visible character, each once and in order', () => {
  const line = fc.oneof(
    fc.tuple(fc.constantFrom('', ' ', '  ', '    ', '\t', '      '), chunk).map(([indent, text]) => indent + text),
    fc.constantFrom(
      '',
      '===',
      '>',
      '-',
      '- - a',
      '|a|b|',
      '|-|-|',
      '```',
      '~~~',
      '<div>',
      '-->',
      '# ',
      '10. x',
      '+',
      '\f',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, eol) => {
      // Without carets there are no anchor lines; rules are the only lines that are in no block.
      const text = lines.join('\n').replaceAll('^', '').replaceAll('\n', eol);
      const starts = [...text.matchAll(/\r\n|\r|\n/g)].map(({ index, 0: end }) => index + end.length);
      const between: string[] = [];
      let behind = 0;
      for (const { content, line: first } of parsePage(text).blocks) {
        const at = text.indexOf(content, Math.max(behind, first === 1 ? 0 : starts[first - 2]!));
        expect(at).toBeGreaterThanOrEqual(0);
        between.push(text.slice(behind, at));
        behind = at + content.length;
      }
      between.push(text.slice(behind));
      const rule = /^[ \t]*([-*_])[ \t]*(?:\1[ \t]*){2,}$/gm;
      for (const gap of between) expect(visible(gap.replace(/\r\n?/g, '\n').replace(rule, ''))).toMatch(/^\ufeff?$/);
    }),
    { numRuns: 1000 },
  );
});

test('[PG22] every anchor is unique', () => {
  const few = fc.constantFrom('a', 'a ^x', 'a ^x-2', '- a', '- a ^x', '# a', 'a ^blk-ca978112', '```\na\n```\n^x');
  fc.assert(
    fc.property(fc.array(few, { maxLength: 12 }), chunks => {
      const anchors = parsePage(chunks.join('\n\n')).blocks.map(({ anchor: own }) => own);
      expect(new Set(anchors).size).toBe(anchors.length);
      for (const claimed of ['x', 'x-2', 'blk-ca978112']) {
        const first = chunks.some(text => text.endsWith(`^${claimed}`));
        expect(first && !anchors.includes(claimed)).toBe(false);
      }
    }),
  );
});

test('[PG23] an edit elsewhere renames no block', () => {
  const doc = fc.array(chunk, { maxLength: 6 });
  fc.assert(
    fc.property(
      doc,
      chunk,
      doc,
      fc.constantFrom('# other\n\n', '---\ntype: skill\n---\n'),
      (above, kept, below, head) => {
        expect(namesOf(above, kept, below, head)).toEqual(namesOf([], kept, [], ''));
      },
    ),
    { numRuns: 1000 },
  );
});

test('[PG23] renumbering, regrouping and other line ends rename no block', () => {
  const [first, second] = names('1. one\n2. two\n');
  expect(names('1. zero\n2. one\n3. two\n').slice(1)).toEqual([first, second]);
  expect(names('# New\n\n* one\n\n\n* two\n').slice(1)).toEqual([first, second]);
  expect(names('a\nb\n\n- one\r\n- two\r\n').slice(1)).toEqual([first, second]);
});
