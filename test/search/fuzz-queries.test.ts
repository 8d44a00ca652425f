import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retrieve } from '../../src/search/index.ts';
import { synonymsOfText } from '../../src/search/synonyms/index.ts';
import { note, openWorld, put, type World } from '../storage/world.ts';
import { EVERYTHING } from './lanes.ts';

/** `CAIRN_FUZZ_RUNS=1000000` asks a million times, which takes minutes. */
const RUNS = Number(process.env['CAIRN_FUZZ_RUNS'] ?? 800);

let w: World;
beforeAll(async () => {
  w = await openWorld();
  const puts = Array.from({ length: 40 }, (_, at) =>
    put(
      `markdown/instances/note/n${at}.md`,
      note(`n${at}`, `Der Etikettensensor BR-${at} meldet ESC-40${at}. The ünïcode gasket №${at} 𝔘𝔫𝔦 ﬁrma \u202eabc.`),
    ),
  );
  await w.storage.pages.commit({ puts });
});
afterAll(() => w.end());

const ask = (phrasings: string[], granularity: 'block' | 'page') =>
  retrieve(
    { lexical: w.storage.lexical, fusion: 'score', minSimilarity: null, synonyms: synonymsOfText([]) },
    { phrasings, granularity, k: 5, filter: EVERYTHING, minCoverage: 0.1 },
  );

test('[SR1] a search never fails for any Unicode text, and its hits are in order', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom(
      'ESC-4012',
      'etikettensensor',
      '"',
      '*',
      'NEAR(',
      '\0',
      '\uD800',
      '\u0301',
      '_',
      '%',
      '[[a::b]]',
      '🧪',
    ),
  );
  const query = fc.array(piece, { maxLength: 8 }).map(parts => parts.join(' '));
  await fc.assert(
    fc.asyncProperty(fc.array(query, { minLength: 1, maxLength: 3 }), fc.boolean(), async (phrasings, blocks) => {
      const { hits, words } = await ask(phrasings, blocks ? 'block' : 'page');
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every(Number.isFinite)).toBe(true);
      expect(hits.every(({ evidence }) => (evidence.lexical?.coverage ?? 0) <= 1)).toBe(true);
      expect(words.every(word => word !== '')).toBe(true);
    }),
    { numRuns: RUNS, seed: 20_261_130 },
  );
});

test.each([
  ['one word', 'a'.repeat(20_000)],
  ['many words', Array.from({ length: 4000 }, (_, at) => `w${at}`).join(' ')],
  ['one word over and over', 'sensor '.repeat(2800)],
  ['a run of codes', 'BR-1.'.repeat(4000)],
  ['marks alone', '\u0301'.repeat(20_000)],
  ['words with typos', Array.from({ length: 1500 }, (_, at) => `etikettensensr${at % 7}x`).join(' ')],
])('[SR1] %s in 20,000 characters are answered', async (_name, text) => {
  const { hits } = await ask([text], 'block');
  expect(hits.length).toBeLessThanOrEqual(5);
});
