import { plain, STOP_WORDS } from '../../search/analysis/index.ts';

export type Language = 'de' | 'en';

/** Whether a word says nothing about a rule by itself. */
export const isStopword = (word: string, languages: readonly Language[]): boolean =>
  languages.some(language => STOP_WORDS[language].has(plain(word)));
