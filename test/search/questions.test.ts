import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDataset, type Question } from '../../scripts/eval/dataset.ts';
import { byKind, rankAll, type RankedSet } from '../../scripts/eval/rank.ts';
import { storeOf } from '../../scripts/eval/store.ts';
import { synonymsOfText } from '../../src/search/synonyms/index.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

let close: () => Promise<void>;
let questions: readonly Question[];
let ranked: RankedSet;
beforeAll(async () => {
  const set = readDataset(join(EXAMPLES, 'questions'), join(EXAMPLES, 'corpus'));
  const opened = await storeOf(set.pages);
  questions = set.questions;
  close = opened.close;
  ranked = await rankAll(
    'lexical',
    { lexical: opened.storage.lexical, fusion: 'score', minSimilarity: null, synonyms: synonymsOfText([]) },
    questions,
  );
});
afterAll(() => close());

/** What each kind of question reaches at the least, nDCG@10; of nonsense the share that finds nothing. */
const FLOORS: Readonly<Record<string, number>> = {
  de: 0.84,
  en: 0.88,
  cross: 0.05,
  compound: 0.82,
  umlaut: 0.98,
  code: 0.84,
  typo: 0.89,
  date: 0.95,
  mail: 0.78,
  nonsense: 0.25,
};

test('there are at least 120 questions, and each kind has a floor', () => {
  expect(questions.length).toBeGreaterThanOrEqual(120);
  expect([...byKind(questions, ranked).keys()].toSorted()).toEqual(Object.keys(FLOORS).toSorted());
});

test.each(Object.entries(FLOORS))('[SR14] %s questions over the demo corpus stay at or above %d', (kind, floor) => {
  expect(byKind(questions, ranked).get(kind)).toBeGreaterThanOrEqual(floor);
});
