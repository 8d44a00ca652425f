import type { Analysis } from './analysis.ts';
import type { ContentWord } from './content.ts';
import type { VocabularyOfScope } from './ports.ts';
import { rarities } from './rarity.ts';

/** The most characteristic words: rare in the scope, repeated, names and codes. Words it does not know are none (contract 7.1). */
export async function keyTerms(
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
