import { fold, type Wanted } from '../../../search/index.ts';
import type { KnownTerm, PostingReader } from './posting-reader.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Shorter pieces stand in too much; figures alone do so even more. */
const SHORTEST = 4;
const SHORTEST_OF_FIGURES = 5;
const MOST_LOOKED_AT = 200;
const MOST_CODES = 24;
const DIGIT = /\p{N}/u;
const FIGURES = /^[\p{N} ]+$/u;

/**
 * Codes of the index that hold what was asked for as a piece of them: `CD34` and `B12-CD` are in `AB12-CD34`. `visible` says whether the
 * caller can see a document with the term; none for words.
 */
export function codesHolding(
  { word, all, share }: Wanted,
  vocabulary: Vocabulary,
  postings: PostingReader,
  visible: (term: KnownTerm) => boolean,
): KnownTerm[] {
  const piece = all.length === 1 ? all[0]! : fold(word);
  if (share < 1 || all.length > 1 || !DIGIT.test(piece)) return [];
  if (piece.length < (FIGURES.test(piece) ? SHORTEST_OF_FIGURES : SHORTEST)) return [];
  return vocabulary
    .holding(piece, MOST_LOOKED_AT)
    .flatMap(key => postings.term(key) ?? [])
    .filter(term => term.docs > 0 && visible(term))
    .slice(0, MOST_CODES);
}
