import { isStopword } from '../stopwords.ts';
import { variantsOf as inflected } from '../variants.ts';
import type { Analysis } from './analysis.ts';
import { contentOf, withoutMailFrame, type ContentWord } from './content.ts';
import { correctionsOf } from './corrections.ts';
import { keyTerms } from './key-terms.ts';
import type { VocabularyOfScope } from './ports.ts';
import type { Expansion, LexicalQuery, QueryTerm } from './query.ts';
import { rarities, weightOf } from './rarity.ts';
import { codesIn, wordsOf } from './words.ts';

const MAX_WORDS = 12;
const MAX_TERMS = 20;
/** Words of a long text that are weighed; what it is about stands before them. */
const MAX_WEIGHED = 250;
interface Wanted {
  readonly name: string;
  readonly words: readonly string[];
}

/**
 * What a search looks for in one scope (contract 7.1, 7.2): given terms, each one phrase; then codes and words of the text, of
 * a long one its key terms alone. Any text is fine; one without a letter or digit has no terms.
 */
export async function readQuery(
  analysis: Analysis,
  vocabulary: VocabularyOfScope,
  text: string | undefined,
  given: readonly string[],
): Promise<LexicalQuery> {
  const wanted = new Map<string, Wanted>();
  for (const name of given) {
    const words = wordsOf(name);
    if (words.length > 0 && !wanted.has(words.join(' '))) wanted.set(words.join(' '), { name, words });
  }
  for (const word of await spokenIn(analysis, vocabulary, text ?? ''))
    if (!wanted.has(word)) wanted.set(word, { name: word, words: [word] });
  const asked = [...wanted.values()].slice(0, MAX_TERMS);
  const terms = await described(analysis, vocabulary, asked);
  const phrases = given.map(wordsOf);
  const single = phrases.filter(words => words.length === 1).flat();
  const spoken = [...single, ...wordsOf(text ?? '').filter(word => wanted.has(word))];
  return {
    terms,
    expansions: [
      ...phrases.filter(words => words.length > 1).flatMap(words => wholeOf(analysis.expansionsOf(words), words)),
      ...analysis.expansionsOf(spoken),
    ],
  };
}

/** A given phrase is one term (contract 7.1): other words stand for all of it, never for a part. */
const wholeOf = (found: readonly Expansion[], phrase: readonly string[]): Expansion[] =>
  found.filter(({ words }) => wordsOf(words).length === phrase.length);

/** Codes first, then the first words; of a long text its key terms. */
async function spokenIn(analysis: Analysis, vocabulary: VocabularyOfScope, text: string): Promise<string[]> {
  const { features, languages, longTextTokens, maxKeyTerms } = analysis.settings;
  const codes = features.normalize ? codesIn(text) : [];
  const whole = contentOf(text, languages);
  if (!features.keyterms || whole.total <= longTextTokens)
    return [...new Set([...codes, ...whole.words.map(({ word }) => word)])].slice(0, MAX_WORDS);
  const body = withoutMailFrame(text);
  const spoken = new Map<string, ContentWord>();
  if (features.normalize) for (const word of codesIn(body)) spoken.set(word, { word, count: 1, marked: true });
  for (const one of contentOf(body, languages).words) spoken.set(one.word, one);
  return keyTerms(analysis, vocabulary, [...spoken.values()].slice(0, MAX_WEIGHED), maxKeyTerms);
}

async function described(
  analysis: Analysis,
  vocabulary: VocabularyOfScope,
  asked: readonly Wanted[],
): Promise<QueryTerm[]> {
  const { languages, features, maxFuzzyTerms } = analysis.settings;
  const rarity = await rarities(
    analysis,
    vocabulary,
    asked.flatMap(({ words }) => words),
  );
  const unseen = weightOf(vocabulary.size, 0);
  let corrected = 0;
  const terms: QueryTerm[] = [];
  for (const { name, words } of asked) {
    const [only] = words.length === 1 ? words : [];
    const spellings =
      only === undefined
        ? [words, ...joined(words)]
        : [...inflected(only, languages).map(one => [one]), ...split(only)];
    const parts = only === undefined ? [] : analysis.partsOf(only);
    const known = words.map(rarity);
    const lost = only !== undefined && known[0] === undefined && !parts.some(part => rarity(part) !== undefined);
    const fix =
      features.fuzzy && lost && corrected < maxFuzzyTerms ? await correctionsOf(vocabulary, only, spellings) : [];
    if (fix.length > 0) corrected += 1;
    terms.push({
      name,
      words,
      spellings,
      stems: only === undefined ? [] : analysis.stemsOf(only),
      parts,
      corrections: fix,
      weight:
        Math.max(...known.map((weight, at) => weight ?? (isStopword(words[at]!, languages) ? 0 : unseen)), 0) || unseen,
    });
  }
  return terms;
}

/** A code is written in one piece as well: `RAL 9005`, `RAL9005`. */
const joined = (words: readonly string[]): string[][] =>
  words.length === 2 && words.some(word => /^\p{L}+$/u.test(word)) && words.some(word => /^\p{N}+$/u.test(word))
    ? [[words.join('')]]
    : [];
const split = (word: string): string[][] => {
  const [, first, second] = /^(\p{L}+)(\p{N}+)$/u.exec(word) ?? /^(\p{N}+)(\p{L}+)$/u.exec(word) ?? [];
  return first === undefined ? [] : [[first, second!]];
};
