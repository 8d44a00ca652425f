import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeTexts } from '../../src/pages/merge/three-way.ts';
import { unifiedDiff } from '../../src/pages/diff/unified.ts';

const line = fc.oneof(
  fc.constantFrom('a\n', 'b\n', '\n', '😀 x\r\n', 'Äöü und noch mehr Wörter\n'),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const text = fc.array(line, { maxLength: 30 }).map(lines => lines.join('').toWellFormed());

test('[PG124] an edit on one side alone is the result, whatever the texts', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, async (base, other) => {
      expect(await mergeTexts(base, other, base)).toBe(other);
      expect(await mergeTexts(base, base, other)).toBe(other);
    }),
    { numRuns: 150 },
  );
});

test('[PG125] what both sides changed alike is there once', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, async (base, other) => {
      expect(await mergeTexts(base, other, other)).toBe(other);
    }),
    { numRuns: 150 },
  );
  expect(await mergeTexts('a\n\nb\n', 'a A\n\nb\n', 'a A\n\nb B\n')).toBe('a A\n\nb B\n');
});

test('[PG124] the same three texts give the same text, which holds no broken characters', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, text, async (base, head, incoming) => {
      const merged = await mergeTexts(base, head, incoming);
      expect(await mergeTexts(base, head, incoming)).toBe(merged);
      expect(merged.isWellFormed()).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('[PG120] edits of different lines are both kept, at their places', async () => {
  const lines = fc.uniqueArray(fc.integer({ min: 0, max: 9999 }), { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(), fc.nat(), async (numbers, a, b) => {
      const base = numbers.map(number => `line number ${number}\n`);
      const [first, second] = [a % base.length, b % base.length];
      fc.pre(Math.abs(first - second) > 1);
      const edited = (at: number, to: string): string => base.with(at, to).join('');
      const merged = await mergeTexts(base.join(''), edited(first, 'HEAD\n'), edited(second, 'MINE\n'));
      expect(merged).toBe(base.with(first, 'HEAD\n').with(second, 'MINE\n').join(''));
    }),
    { numRuns: 100 },
  );
});

test('[PG113] a unified diff turns the one text into the other', () => {
  fc.assert(
    fc.property(text, text, (from, to) => {
      expect(patched(from, unifiedDiff('a', 'b', from, to))).toBe(to);
    }),
    { numRuns: 300 },
  );
});

/** Applies a unified diff the plain way. */
function patched(from: string, diff: string): string {
  const source = from.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  const rows = diff.match(/[^\n]*\n/g)?.slice(2) ?? [];
  for (const [index, row] of rows.entries()) {
    const head = /^@@ -(\d+),(\d+) /.exec(row);
    const bare = rows[index + 1]?.startsWith('\\') ? row.slice(1, -1) : row.slice(1);
    if (head) {
      const start = head[2] === '0' ? Number(head[1]) : Number(head[1]) - 1;
      out.push(...source.slice(at, start));
      at = start;
    } else if (row.startsWith('\\')) continue;
    else if (row.startsWith('+')) out.push(bare);
    else {
      if (bare !== source[at]) throw new Error(`line ${at + 1} is not ${JSON.stringify(bare)}`);
      if (row.startsWith(' ')) out.push(bare);
      at += 1;
    }
  }
  return [...out, ...source.slice(at)].join('');
}
