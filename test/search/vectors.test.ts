import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  batchesByLength,
  clsPool,
  fixedVector,
  hashedVector,
  meanPool,
  passagesOf,
  spaceKey,
  unitVector,
  wholeText,
} from '../../src/search/vectors/index.ts';
import { partsOf } from '../../src/search/vectors/parts.ts';

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, at) => sum + value * b[at]!, 0);
const near = (a: string, b: string): number => dot(hashedVector(a)!, hashedVector(b)!);

test('[VC1] a block is embedded with title and headings, each once', () => {
  expect(passagesOf('Pumps', ['Seals', 'Rubber'], ' Change yearly. ')).toEqual([
    'Pumps\nSeals › Rubber\nChange yearly.',
  ]);
  expect(passagesOf('Pumps', [], 'Pumps')).toEqual(['Pumps']);
  expect(passagesOf('', [], ' ')).toEqual([]);
});

test('[VC7] a long block has its parts beside the whole, each under title and headings, cut between sentences', () => {
  const sentences = Array.from({ length: 24 }, (_, at) => `Seal number ${at} is changed when it leaks.`);
  const [whole, ...parts] = passagesOf('Pumps', ['Seals'], sentences.join(' '));
  expect(whole).toBe(`Pumps\nSeals\n${sentences.join(' ')}`);
  expect(parts.length).toBeGreaterThan(1);
  const said = parts.map(part => part.replace(/^Pumps\nSeals\n/u, ''));
  expect(said.join(' ')).toBe(sentences.join(' '));
  for (const part of said) expect(part.endsWith('leaks.')).toBe(true);
  const lengths = said.map(part => part.length);
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(100);
});

test('[VC7] nothing of any text is lost in parts, and none is longer than the smallest model reads', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('. ', '! ', '\n', 'Dichtung ', '3.5 ', '漢字', '😀', 'x'.repeat(900)),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 250 }), words => {
      const text = words.join('').toWellFormed();
      const parts = partsOf(text);
      expect(parts.join('')).toBe(parts.length > 0 || text.length > 480 ? text : '');
      for (const part of parts) {
        expect(part.length).toBeGreaterThan(0);
        expect(part.length).toBeLessThanOrEqual(480);
        expect(part.isWellFormed()).toBe(true);
      }
    }),
  );
  expect(partsOf('漢'.repeat(1000)).every(part => part.length <= 160)).toBe(true);
  const [, ...deep] = passagesOf('t'.repeat(500), ['h'.repeat(500)], 'A seal. '.repeat(200));
  for (const part of deep) expect(part.length).toBeLessThan(900);
});

test('[VC1] any text becomes well-formed and bounded, and no character is cut in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(3), (text, pad) => {
      const long = 'x'.repeat(pad) + text + '😀'.repeat(20_000);
      for (const whole of [wholeText(text), wholeText(long)]) {
        expect(whole.isWellFormed()).toBe(true);
        expect(whole.length).toBeLessThanOrEqual(24_000);
      }
      expect(wholeText(long).endsWith('😀')).toBe(true);
    }),
  );
});

test('[VC2] hashed vectors know spelling and are the same every time', () => {
  expect(hashedVector('Wartungsvertrag')).toEqual(hashedVector('Wartungsvertrag'));
  expect(near('Wartungsvertrag', 'Wartungsvetrag')).toBeGreaterThan(0.4);
  expect(near('Vertrag', 'Wartungsvertrag')).toBeGreaterThan(0.2);
  expect(near('Wartungsvertrag', 'Blumenkohl')).toBeLessThan(0.2);
  expect(near('Müller', 'MUELLER')).toBeCloseTo(1, 5);
  expect(hashedVector('… — !')).toBeNull();
});

test('[VC2] every text with a word has a hashed vector of length 1', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
      const vector = hashedVector(`${text} word`)!;
      expect(dot(vector, vector)).toBeCloseTo(1, 4);
    }),
  );
});

const unit = (dim: number) =>
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dim, maxLength: dim }).map(values => {
    values[0] = 0.5;
    return unitVector(values, dim)!;
  });

test('[VC3] a cosine survives sixteen bits a number', () => {
  const decoded = (vector: Float32Array): number[] => {
    const { values, unit: one } = fixedVector(vector);
    return Array.from(values, value => value * one);
  };
  fc.assert(
    fc.property(unit(384), unit(384), (a, b) => {
      expect(Math.abs(dot(decoded(a), decoded(b)) - dot(a, b))).toBeLessThan(1e-4);
    }),
  );
});

test('[VC4] groups hold every text once and stay within the budget', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 60 }), lengths => {
      const groups = batchesByLength(lengths, 512);
      expect(groups.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, at) => at));
      for (const group of groups) {
        const cost = group.length * Math.max(...group.map(at => lengths[at]!));
        expect(group.length === 1 || cost <= 512).toBe(true);
      }
    }),
  );
  expect(batchesByLength([100, 100, 100, 100, 100], 512)).toHaveLength(1);
});

test('[VC5] padding changes no mean, and CLS is the first token', () => {
  const short = meanPool(new Float32Array([1, 2, 3, 4]), new BigInt64Array([1n, 1n]), 1, 2);
  const padded = meanPool(new Float32Array([1, 2, 3, 4, 9, 9]), new BigInt64Array([1n, 1n, 0n]), 1, 2);
  expect(padded).toEqual(short);
  expect(short).toEqual([new Float32Array([2, 3])]);
  const two = clsPool(new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]), new BigInt64Array([1n, 1n, 1n, 0n]), 2, 2);
  expect(two).toEqual([new Float32Array([1, 2]), new Float32Array([5, 6])]);
});

test('[VC5] a vector is cut, then brought to length 1, or is none', () => {
  expect(unitVector([3, 4, 100], 2)).toEqual(new Float32Array([0.6, 0.8]));
  for (const none of [[0, 0], [Number.NaN, 1], [Number.POSITIVE_INFINITY, 1], [1]])
    expect(unitVector(none, 2)).toBeNull();
});

test('[VC6] spaces that differ have different keys', () => {
  const space = { model: 'm', revision: '1', dim: 8, semantic: true };
  const keys = [space, { ...space, model: 'm1' }, { ...space, revision: '2' }, { ...space, dim: 9 }].map(spaceKey);
  expect(new Set(keys).size).toBe(4);
});
