import { folded } from './words.ts';
import type { Phrases } from '../ports.ts';
import type { VocabularyOfScope } from './ports.ts';
import type { SubQuery } from './settings.ts';

/** In smaller scopes nothing is left out. */
const LARGE = 2000;
/** Rules that the words of one way may stand in, in all, before the commonest words are left out of it. */
const MOST = 50_000;
/** As many are looked at at least, however common their words. */
const LEAST = 2000;
/** The same where a word stands in more than half of all rules: bm25 weighs such a word with next to nothing. */
const LEAST_BESIDE_WORTHLESS = 500;

type Ways = Readonly<Partial<Record<SubQuery, Phrases>>>;

/**
 * Ways without words that stand in very many rules, as long as rarer words lead to enough of them: the commoner a word, the less
 * it says about the order. What is shown of a rule, its coverage and what it was found by, is not touched by this.
 */
export async function pruned(ways: Ways, vocabulary: VocabularyOfScope): Promise<Ways> {
  if (vocabulary.size < LARGE) return ways;
  const kept = await Promise.all(
    Object.entries(ways).map(async ([way, phrases]) => {
      const table = way === 'stem' || way === 'prf' ? 'stem' : 'word';
      return [way, way === 'tri' ? phrases : await rarest(phrases, table, vocabulary)] as const;
    }),
  );
  return Object.fromEntries(kept);
}

/** The phrases whose rarest words stand in the fewest rules, in the order in which they were given. */
async function rarest(phrases: Phrases, table: 'word' | 'stem', vocabulary: VocabularyOfScope): Promise<Phrases> {
  const counts = await vocabulary.frequencies(table, phrases.flat().map(folded));
  const weighed = phrases.map(words => ({
    words,
    rules: Math.min(...words.map(word => counts.get(folded(word)) ?? 0)),
  }));
  const kept = new Set<readonly string[]>();
  let rules = 0;
  for (const one of weighed.toSorted((a, b) => a.rules - b.rules)) {
    if (rules >= LEAST && rules + one.rules > MOST) break;
    if (rules >= LEAST_BESIDE_WORTHLESS && one.rules > vocabulary.size / 2) break;
    kept.add(one.words);
    rules += one.rules;
  }
  return phrases.filter(words => kept.has(words));
}
