import { DE } from './words/de.ts';
import { EN, type Words } from './words/en.ts';

export type Language = 'de' | 'en';

const WORDS: Readonly<Record<Language, Words>> = { de: DE, en: EN };

export const wordsOf = (language: Language): Words => WORDS[language];

/** The language of ours that a browser likes best; English when it likes neither. */
export function languageOf(acceptLanguage: string | null): Language {
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 };
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const language = /^(de|en)(-|$)/.exec(tag.trim())?.[1] as Language | undefined;
    const given = parameters.map(one => /^\s*q=([01](?:\.\d*)?)\s*$/.exec(one)?.[1]).find(one => one !== undefined);
    const weight = given === undefined ? 1 : Number(given);
    if (language && weight > best.weight) best = { language, weight };
  }
  return best.language;
}
