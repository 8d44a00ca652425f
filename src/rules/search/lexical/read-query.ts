import { editDistance } from '../../../search/analysis/index.ts';
import { isStopword } from '../stopwords.ts';
import { variantsOf as inflected } from '../variants.ts';
import type { Analysis } from './analysis.ts';
import { contentOf, withoutMailFrame, type ContentWord } from './content.ts';
import type { VocabularyOfScope } from './ports.ts';
import type { LexicalQuery, QueryTerm } from './query.ts';
import { expansionsOf } from './synonyms.ts';
import { codesIn, folded, wordsOf } from './words.ts';

const MAX_WORDS = 12;
const MAX_TERMS = 20;
/** Words of a long text that are weighed; what it is about stands before them. */
const MAX_WEIGHED = 250;
/** A word this long is no accident: it may be a typing error of one that the rules have. */
const SHORTEST_TO_CORRECT = 5;
const LONG_WORD = 9;
const MAX_CORRECTIONS = 3;

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
  const { features, synonyms } = analysis.settings;
  const spoken = [...given.flatMap(wordsOf), ...wordsOf(text ?? '').filter(word => wanted.has(word))];
  return { terms, expansions: features.synonyms ? expansionsOf(spoken, synonyms) : [] };
}

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

/** The most characteristic words: rare in the scope, repeated, names and codes. Words it does not know are none. */
async function keyTerms(
  analysis: Analysis,
  vocabulary: VocabularyOfScope,
  spoken: readonly ContentWord[],
  most: number,
): Promise<string[]> {
  const rarity = await rarities(
    analysis,
    vocabulary,
    spoken.map(({ word }) => word),
  );
  const weighed = spoken.flatMap(({ word, count, marked }) => {
    const weight = rarity(word) ?? ofParts(analysis.partsOf(word).map(rarity));
    return weight === undefined ? [] : [{ word, weight: weight * (1 + Math.log(count)) * (marked ? 1.25 : 1) }];
  });
  const best = weighed.toSorted((a, b) => b.weight - a.weight).slice(0, most);
  const kept = new Set(best.map(({ word }) => word));
  return spoken.map(({ word }) => word).filter(word => kept.has(word));
}

function ofParts(parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.filter(one => one !== undefined);
  return parts.length > 0 && known.length === parts.length ? Math.max(...known) : undefined;
}

/**
 * Rarity of each word in the scope by its stem, of codes as they are; undefined for one that no rule has. Parts of a word that
 * no rule has are known as well.
 */
async function rarities(
  analysis: Analysis,
  vocabulary: VocabularyOfScope,
  words: readonly string[],
): Promise<(word: string) => number | undefined> {
  const { size } = vocabulary;
  const plain = new Map<string, number>();
  const stems = new Map<string, number>();
  async function look(all: readonly string[]): Promise<void> {
    const codes = all.filter(word => /\p{N}/u.test(word)).map(folded);
    for (const [word, rules] of await vocabulary.frequencies('word', codes)) plain.set(word, rules);
    const wanted = all.flatMap(word => analysis.stemsOf(word));
    for (const [stem, rules] of await vocabulary.frequencies('stem', wanted)) stems.set(stem, rules);
  }
  const rarity = (word: string): number | undefined => {
    const rules = Math.max(plain.get(folded(word)) ?? 0, ...analysis.stemsOf(word).map(stem => stems.get(stem) ?? 0));
    return rules === 0 ? undefined : weightOf(size, rules);
  };
  const all = [...new Set(words)];
  await look(all);
  await look([...new Set(all.filter(word => rarity(word) === undefined).flatMap(word => analysis.partsOf(word)))]);
  return rarity;
}

const weightOf = (size: number, rules: number): number => Math.log(1 + (size + 1) / (rules + 0.5));

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
      features.fuzzy && lost && corrected < maxFuzzyTerms ? await corrections(vocabulary, only, spellings) : [];
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

/** Words of the scope that such a word was probably meant to be: near, frequent ones first. */
async function corrections(
  vocabulary: VocabularyOfScope,
  word: string,
  spellings: readonly (readonly string[])[],
): Promise<string[]> {
  const plain = folded(word);
  if (plain.length < SHORTEST_TO_CORRECT || /\p{N}/u.test(plain)) return [];
  const most = plain.length >= LONG_WORD ? 2 : 1;
  const neighbours = await vocabulary.beginning(plain.slice(0, 2));
  const near = neighbours
    .filter(({ word: other }) => Math.abs(other.length - plain.length) <= most && !/\p{N}/u.test(other))
    .map(one => ({ ...one, distance: editDistance(plain, one.word, most) }))
    .filter(({ distance }) => distance <= most);
  // A longer word that begins like it is found as it is.
  if (
    spellings.some(
      ([first]) =>
        first !== undefined && first.length >= 4 && neighbours.some(one => one.word.startsWith(folded(first))),
    )
  )
    return [];
  return near
    .toSorted((a, b) => a.distance - b.distance || b.rules - a.rules || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_CORRECTIONS)
    .map(one => one.word);
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
