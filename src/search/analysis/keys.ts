import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as german } from '@orama/stemmers/german';
import type { Language } from '../ports.ts';
import { fold } from './fold.ts';

/** Longer words are names or noise, which no stemmer helps. */
const LONGEST_TO_STEM = 40;
const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u;
const STEMMERS = { de: german, en: english } as const;

/** What a word of a language is found by: its stem, folded; codes and numbers as they are. */
export function keyOf(word: string, language: Language): string {
  if (word.length > LONGEST_TO_STEM || !LETTERS_ONLY.test(word)) return fold(word);
  return fold(STEMMERS[language](word)) || fold(word);
}

/** What two words next to each other in a code, a number with its unit or a hyphenated word are found by. */
export const pairKey = (first: string, second: string): string => `${fold(first)} ${fold(second)}`;

const MIXED = /^(?:(\p{N}+)(\p{L}{1,4})|(\p{L}{1,6})(\p{N}+))$/u;
const DIGIT = /\p{N}/u;
const FIRST_DIGIT = /^\p{N}/u;
const MAX_UNIT = 4;
const MAX_SERIES = 6;

/** A number and its unit, or a series and its number, written in one word: `24V`, `ESC4012`. */
export function splitMixed(word: string): readonly [string, string] | null {
  const parts = MIXED.exec(word);
  if (!parts) return null;
  return [parts[1] ?? parts[3]!, parts[2] ?? parts[4]!];
}

export const startsWithDigit = (word: string): boolean => FIRST_DIGIT.test(word);

export const hasDigit = (word: string): boolean => DIGIT.test(word);

/** Whether two words with white space between may be such a number and unit, or series and number: `24 V`, `RAL 9005`. */
export function mayBelongTogether(first: string, second: string): boolean {
  if (DIGIT.test(first)) return DIGIT.test(second) || second.length <= MAX_UNIT;
  return first.length <= MAX_SERIES && DIGIT.test(second);
}
