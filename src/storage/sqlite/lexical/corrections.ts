import { fold, keysOfWord, slipsBetween, type Wanted } from '../../../search/index.ts';
import type { KnownTerm, PostingReader } from './posting-reader.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Candidate {
  readonly key: string;
  readonly term: KnownTerm;
  /** Slips, more for rare words and another first letter. */
  readonly cost: number;
}

/** Words of so many letters may have two wrong ones, shorter ones one or two likely slips. */
const TWO_WRONG_FROM = 8;
const TWO_SLIPS_FROM = 5;
const MOST_SLIPS_OF_SHORT = 1.45;
/** Stems lose it, but not every misspelt word does. */
const ENDING = /(?:en|er|es|e|s|n)$/u;
const MOST_CANDIDATES = 24;
const COST_OF_ENDING = 0.3;
const COST_OF_FIRST_LETTER = 0.6;
const WORTH_OF_TENFOLD = 0.15;

/** Spellings of the index that a word without documents may have meant, the likeliest first; never one of its own keys. */
export function candidatesFor({ word, any }: Wanted, vocabulary: Vocabulary, postings: PostingReader): Candidate[] {
  const folded = fold(word);
  const bare = folded.replace(ENDING, '');
  const proper = new Set([folded, ...keysOfWord(word)]);
  const spellings = [...proper, ...(proper.has(bare) ? [] : [bare])];
  const most = word.length >= TWO_WRONG_FROM ? 2 : MOST_SLIPS_OF_SHORT;
  const first = folded.charAt(0);
  return vocabulary
    .near(spellings, word.length >= TWO_SLIPS_FROM ? 2 : 1)
    .flatMap(({ term: key }) => {
      const term = any.includes(key) ? undefined : postings.term(key);
      if (!term || term.docs === 0) return [];
      const slips = Math.min(
        ...spellings.map(spelling => slipsBetween(spelling, key) + (proper.has(spelling) ? 0 : COST_OF_ENDING)),
      );
      if (slips > most) return [];
      const cost =
        slips + (key.startsWith(first) ? 0 : COST_OF_FIRST_LETTER) - WORTH_OF_TENFOLD * Math.log10(term.docs);
      return [{ key, term, cost }];
    })
    .sort((a, b) => a.cost - b.cost || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_CANDIDATES);
}
