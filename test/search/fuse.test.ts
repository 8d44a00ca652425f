import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuseScores, type LaneResults } from '../../src/search/fuse.ts';
import type { LexicalHit } from '../../src/search/ports.ts';
import { vectorWeight } from '../../src/search/weights.ts';

const BACKGROUND = { mean: 0.7, deviation: 0.02 };

const word = (pageId: string, score: number, coverage: number): LexicalHit => ({
  pageId,
  anchor: '',
  content: `words of ${pageId}`,
  score,
  coverage,
  matched: ['x'],
});
const near = (pageId: string, score: number) => ({ pageId, anchor: 'v', content: `vector of ${pageId}`, score });
const fuse = (lanes: Partial<LaneResults>) =>
  fuseScores({
    lexical: [],
    vector: [],
    background: BACKGROUND,
    weight: 2,
    beyond: null,
    complete: true,
    keyOf: hit => hit.pageId,
    ...lanes,
  });
const order = (lanes: Partial<LaneResults>): string[] => fuse(lanes).map(({ pageId }) => pageId);

describe('fusion of lanes', () => {
  test('[SR9] a page that both lanes find comes before pages that one finds', () => {
    const lexical = [word('w', 10, 1), word('both', 9, 1)];
    const vector = [near('v', 0.79), near('both', 0.78)];
    expect(order({ lexical, vector })).toEqual(['both', 'w', 'v']);
  });

  test('[SR9] a question of which only a name is found goes by vectors', () => {
    const vector = [near('v', 0.8), near('w', 0.72)];
    expect(order({ lexical: [word('w', 9, 0.9)], vector })[0]).toBe('w');
    expect(order({ lexical: [word('w', 3, 0.1)], vector })[0]).toBe('v');
  });

  test('[SR9] the scale of similarities does not matter', () => {
    const lexical = [word('a', 10, 0.8), word('b', 5, 0.5)];
    const vector = [near('b', 0.78), near('a', 0.74)];
    const moved = vector.map(hit => ({ ...hit, score: (hit.score - BACKGROUND.mean) / BACKGROUND.deviation }));
    const plain = fuse({ lexical, vector });
    const scaled = fuse({ lexical, vector: moved, background: { mean: 0, deviation: 1 } });
    expect(scaled.map(({ pageId }) => pageId)).toEqual(plain.map(({ pageId }) => pageId));
    for (const [at, { score }] of scaled.entries()) expect(score).toBeCloseTo(plain[at]!.score, 10);
  });

  test('[SR9] evidence names rank, share, coverage and similarity of each lane; the text is that of the stronger one', () => {
    const [first] = fuse({ lexical: [word('a', 9, 0.5)], vector: [near('a', 0.8)] });
    expect(first).toMatchObject({ pageId: 'a', anchor: 'v', content: 'vector of a' });
    expect(first!.evidence).toEqual({
      lexical: { rank: 1, share: 1, coverage: 0.5, matched: ['x'] },
      vector: { rank: 1, similarity: 0.8, deviations: expect.closeTo(5, 6) },
    });
  });

  test('[SR11] a block without a vector yet does not fall behind for that', () => {
    const lexical = [word('new', 6, 0.6), word('old', 3, 0.3)];
    const vector = [near('old', 0.8), near('c', 0.78), near('d', 0.7)];
    expect(order({ lexical, vector, complete: false })[0]).toBe('new');
    expect(order({ lexical, vector, complete: true })[0]).toBe('old');
  });

  test('[SR9] where the list of vectors was cut, a missing hit is taken for the last of them', () => {
    const lexical = [word('w', 10, 0.5)];
    const vector = [near('v', 0.8), near('u', 0.78)];
    const uncut = fuse({ lexical, vector }).find(({ pageId }) => pageId === 'w');
    const cut = fuse({ lexical, vector, beyond: 0.78 }).find(({ pageId }) => pageId === 'w');
    expect(cut!.score - uncut!.score).toBeCloseTo(2 * 4, 6);
  });

  test('[SR9] whatever the lanes say, every hit stands once and scores fall', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
    const score = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        ids,
        ids,
        fc.array(score, { minLength: 8, maxLength: 8 }),
        fc.boolean(),
        (some, others, values, all) => {
          const sorted = values.toSorted((a, b) => b - a);
          const lexical = some.map((id, at) => word(id, sorted[at]!, Math.abs(values[at]!)));
          const vector = others.map((id, at) => near(id, sorted[at]!));
          const fused = fuse({ lexical, vector, complete: all });
          expect(fused.map(({ pageId }) => pageId).toSorted()).toEqual([...new Set([...some, ...others])].toSorted());
          const scores = fused.map(hit => hit.score);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
          expect(scores.every(value => value >= 0 && Number.isFinite(value))).toBe(true);
        },
      ),
    );
  });
});

test('[SR10] vectors of spelling have no weight, names and codes little, and foreign languages least', () => {
  const space = { model: 'm', revision: '1', dim: 3, semantic: true };
  const english = { ...space, languages: ['en'] };
  const [name, sentence] = ['Pumpe BR-220', 'zero dimensional biomaterials show inductive properties'];
  expect(vectorWeight({ ...space, semantic: false }, 'de', sentence)).toBe(0);
  const whole = vectorWeight(space, 'de', name);
  expect(vectorWeight(space, null, name)).toBeLessThan(whole);
  expect(vectorWeight(space, null, sentence)).toBe(whole);
  expect(vectorWeight({ ...space, languages: ['multilingual', 'fr'] }, 'de', name)).toBe(whole);
  const own = vectorWeight(english, 'en', name);
  expect(own).toBeLessThan(whole);
  expect(vectorWeight(english, null, sentence)).toBeLessThan(own);
  expect(vectorWeight(english, 'de', sentence)).toBeLessThan(vectorWeight(english, null, sentence));
  expect(vectorWeight(english, null, name)).toBe(vectorWeight(english, 'de', name));
  expect(vectorWeight(english, 'de', name)).toBeGreaterThan(0);
});
