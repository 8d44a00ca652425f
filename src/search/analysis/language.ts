import type { Language } from '../ports.ts';
import { plain } from './fold.ts';
import { STOP_WORDS } from './stop-words.ts';

const GERMAN_LETTERS = /[äöüß]/u;

/** What a word says about its language: above 0 German, below 0 English. */
export function voteOf(word: string): number {
  const german = STOP_WORDS.de.has(plain(word));
  const english = STOP_WORDS.en.has(word);
  if (german !== english) return german ? 2 : -2;
  return GERMAN_LETTERS.test(word) ? 1 : 0;
}

/** The language that a tag such as `de`, `en-GB` or `DE_at` names; null for any other value. */
export function languageNamed(tag: unknown): Language | null {
  const [, language] = typeof tag === 'string' ? (/^\s*(de|en)(?:[-_].*)?\s*$/isu.exec(tag) ?? []) : [];
  return language === undefined ? null : (language.toLowerCase() as Language);
}

/** Language of a text by the sum of the votes of its words; null when they say neither. */
export function languageOfVotes(sum: number): Language | null {
  if (sum === 0) return null;
  return sum > 0 ? 'de' : 'en';
}

/** Language of words by the small words among them and by umlauts. */
export const languageOf = (runs: readonly (readonly string[])[]): Language | null =>
  languageOfVotes(runs.flat().reduce((sum, word) => sum + voteOf(word), 0));
