import { keyOf } from '../analysis/keys.ts';
import { runsOf } from '../analysis/runs.ts';
import type { Language, SynonymsOfWord } from '../ports.ts';
import { synonyms } from './expansions.ts';

/** Of a longer text the beginning is looked at. */
const MOST_LETTERS = 20_000;
const LANGUAGES = ['de', 'en'] as const;

export type SynonymsOfText = (text: string) => readonly SynonymsOfWord[];

/**
 * For each word of a text what else may be said for it, by the base list and configured groups, in whatever form a word stands. It
 * knows nothing of pages.
 */
export function synonymsOfText(given: readonly (readonly string[])[]): SynonymsOfText {
  const expand = synonyms(given, { wordsOf: text => runsOf(text).flat(), keysOf: markedKeys });
  return text => {
    const found = new Map<string, Map<string, readonly (readonly string[])[]>>();
    for (const { said, others } of expand(runsOf(text.slice(0, MOST_LETTERS)).flat())) {
      for (const word of said) {
        const phrases = found.get(word) ?? new Map();
        for (const { words, language } of others) phrases.set(words.join(' '), waysOf(words, language));
        found.set(word, phrases);
      }
    }
    return [...found].map(([word, phrases]) => ({
      word,
      others: [...phrases].map(([phrase, ways]) => ({ phrase, ways })),
    }));
  };
}

/** Stems are compared within a language: the German `Orden` and the English `order` have one stem and nothing in common. */
const markedKeys = (word: string, language: Language | null): string[] =>
  languagesOf(language).map(each => `${each} ${keyOf(word, each)}`);

/** Keys that a block with the phrase has, in each language that the phrase may be of. */
function waysOf(words: readonly string[], language: Language | null): string[][] {
  const ways = languagesOf(language).map(each => words.map(word => keyOf(word, each)));
  return [...new Map(ways.map(way => [way.join(' '), way])).values()];
}

const languagesOf = (language: Language | null): readonly Language[] => (language === null ? LANGUAGES : [language]);
