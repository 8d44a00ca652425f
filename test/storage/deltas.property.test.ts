import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyDelta, encodeDelta } from '../../src/storage/sqlite/state/delta.ts';

const line = fc.oneof(
  fc.constantFrom(
    '',
    'a line that stands in many places of the page',
    '# A heading that is long enough',
    '😀 wide 𝄞 ones 👩‍👩‍👧',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const text = fc.array(line, { maxLength: 30 }).map(lines => lines.join('\n'));
/** A text and what some edits made of it. */
const edited = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat(30), text), { maxLength: 6 }))
  .map(([before, edits]): [string, string] => [
    before,
    edits.reduce((sofar, [at, length, put]) => {
      const start = sofar.length === 0 ? 0 : at % sofar.length;
      return sofar.slice(0, start) + put + sofar.slice(start + length);
    }, before),
  ]);

test('[DS15] a delta makes the very text out of the one it was made against', () => {
  fc.assert(
    fc.property(fc.oneof(edited, fc.tuple(text, text)), ([a, b]) => {
      expect(applyDelta(a, encodeDelta(a, b))).toBe(b);
      expect(applyDelta(b, encodeDelta(b, a))).toBe(a);
    }),
    { numRuns: 2000 },
  );
});

test('[DS15] a cut inside a surrogate pair survives being stored as UTF-8', () => {
  const [a, b] = ['same text before \u{1F600} and after it', 'same text before \u{1F601} and after it'];
  const stored = Buffer.from(encodeDelta(a, b), 'utf8').toString('utf8');
  expect(applyDelta(a, stored)).toBe(b);
});

test('[DS15] a delta is as large as the change, wherever in the page the changes stand', () => {
  const lines = Array.from({ length: 2000 }, (_, n) => `Line ${n} of a page that has rather many of them.`);
  const before = lines.join('\n');
  const after = lines.map((one, n) => (n % 200 === 7 ? one.replace('rather', 'really very') : one)).join('\n');
  expect(encodeDelta(after, before).length).toBeLessThan(10 * 60);
  const moved = [...lines.slice(1000), ...lines.slice(0, 1000)].join('\n');
  expect(encodeDelta(before, moved).length).toBeLessThan(500);
});

test('[DS15] a delta of another text is refused', () => {
  const long = 'x'.repeat(100);
  expect(() => applyDelta('short', encodeDelta(long, `${long}!`))).toThrow('beyond its text');
});
