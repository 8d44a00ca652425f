import type { SearchTerm } from './ports.ts';
import { isStopword, type Language } from './stopwords.ts';
import { variantsOf } from './variants.ts';

const MAX_WORDS = 12;
const MAX_TERMS = 20;

/** Words of a text, compatible forms and case folded. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '');

/**
 * What a search looks for (contract 7.1, 7.2): the given terms, each one phrase, then the first words of the text that are
 * no stop words. Any text is fine; one without a letter or digit has no terms.
 */
export function searchTerms(
  text: string | undefined,
  given: readonly string[],
  languages: readonly Language[],
): SearchTerm[] {
  const found = new Map<string, SearchTerm>();
  for (const name of given) {
    const words = wordsOf(name);
    const key = words.join(' ');
    if (words.length === 1) found.set(key, { name, phrases: singly(words[0]!, languages) });
    else if (words.length > 1) found.set(key, { name, phrases: [words, ...joined(words)] });
  }
  const spoken = [...new Set(wordsOf(text ?? ''))].filter(word => !isStopword(word, languages)).slice(0, MAX_WORDS);
  for (const word of spoken) if (!found.has(word)) found.set(word, { name: word, phrases: singly(word, languages) });
  return [...found.values()].slice(0, MAX_TERMS);
}

const singly = (word: string, languages: readonly Language[]): string[][] => [
  ...variantsOf(word, languages).map(variant => [variant]),
  ...split(word),
];

/** A code is written in one piece as well: `RAL 9005`, `RAL9005`. */
const joined = (words: readonly string[]): string[][] =>
  words.length === 2 && /^\p{L}+$/u.test(words[0]!) && /^\p{N}+$/u.test(words[1]!) ? [[words.join('')]] : [];
const split = (word: string): string[][] => {
  const [, letters, digits] = /^(\p{L}+)(\p{N}+)$/u.exec(word) ?? [];
  return letters === undefined ? [] : [[letters, digits!]];
};
