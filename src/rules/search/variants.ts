import type { Language } from './stopwords.ts';

/** Endings in the order in which they are tried; one is taken off, and three letters must remain (contract 7.2). */
const ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  de: ['ern', 'en', 'er', 'es', 'n', 'e', 's'],
  en: ['ing', 'ed', 'es', 's'],
};
const SPELLINGS = [
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
] as const;
const MIN_STEM = 3;

/** The forms under which a word is looked for, itself first. */
export function variantsOf(word: string, languages: readonly Language[]): string[] {
  const spelled = [
    word,
    SPELLINGS.reduce((text, [letter, digraph]) => text.replaceAll(letter, digraph), word),
    SPELLINGS.reduce((text, [letter, digraph]) => text.replaceAll(digraph, letter), word),
  ];
  const stems = languages.flatMap(language => {
    const ending = ENDINGS[language].find(one => word.endsWith(one) && word.length - one.length >= MIN_STEM);
    return ending === undefined ? [] : [word.slice(0, -ending.length)];
  });
  return [...new Set([...spelled, ...stems])];
}
