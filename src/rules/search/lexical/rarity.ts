import type { Analysis } from './analysis.ts';
import type { VocabularyOfScope } from './ports.ts';
import { folded } from './words.ts';

/**
 * Rarity of each word in the scope by its stem, of codes as they are; undefined for one that no rule has. Parts of a word that
 * no rule has are known as well.
 */
export async function rarities(
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

/** What a word weighs that stands in so many rules of a scope of that size. */
export const weightOf = (size: number, rules: number): number => Math.log(1 + (size + 1) / (rules + 0.5));
