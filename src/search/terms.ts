import type { Term } from './ports.ts';

/** Terms of one query beyond this number carry no more meaning for a lexical lane. */
const MAX_TERMS = 64;
/** A longer run is looked for by its beginning: the price of a phrase is its length times that of the text it is held against. */
const MAX_WORDS_OF_TERM = 24;
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/**
 * The terms of a user's text: runs without white space, taken apart into words that must stand together, so that
 * `customer::acme`, `1.0.21` or `BENCH-100821` are found as typed (S01-S05). Any Unicode text is fine; text without
 * a letter or digit has no terms.
 */
export function termsOf(text: string): Term[] {
  const terms = new Map<string, Term>();
  for (const run of text.normalize('NFC').split(/\s+/u)) {
    const words = run.toLowerCase().match(WORD)?.slice(0, MAX_WORDS_OF_TERM);
    if (words) terms.set(words.join(' '), { words });
    if (terms.size === MAX_TERMS) break;
  }
  return [...terms.values()];
}
