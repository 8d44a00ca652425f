import { fold, keysOfWord, type Wanted } from '../../../search/index.ts';
import type { KnownTerm, PostingReader } from './posting-reader.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Candidate {
  readonly key: string;
  readonly term: KnownTerm;
  /** Edits, more for rare words and another first letter. */
  readonly cost: number;
}

/** Words of so many letters may have two wrong ones, shorter ones one. */
const TWO_WRONG_FROM = 8;
/** Stems lose it, but not every misspelt word does. */
const ENDING = /(?:en|er|es|e|s|n)$/u;
const MOST_CANDIDATES = 24;
const COST_OF_FIRST_LETTER = 0.6;
const WORTH_OF_TENFOLD = 0.15;

/** Spellings of the index that a word without documents may have meant, the likeliest first. */
export function candidatesFor({ word }: Wanted, vocabulary: Vocabulary, postings: PostingReader): Candidate[] {
  const spellings = [...new Set([fold(word), ...keysOfWord(word), fold(word).replace(ENDING, '')])];
  const most = word.length >= TWO_WRONG_FROM ? 2 : 1;
  const first = spellings[0]!.charAt(0);
  return vocabulary
    .near(spellings, most)
    .flatMap(({ term: key, distance }) => {
      const term = distance === 0 ? undefined : postings.term(key);
      if (!term || term.docs === 0) return [];
      const cost =
        distance + (key.startsWith(first) ? 0 : COST_OF_FIRST_LETTER) - WORTH_OF_TENFOLD * Math.log10(term.docs);
      return [{ key, term, cost }];
    })
    .sort((a, b) => a.cost - b.cost || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_CANDIDATES);
}
