import type { Language } from './ports.ts';
import type { VectorSpace } from './vectors/ports.ts';

/**
 * What one standard deviation of similarity is worth as lexical score, in which a word that one block in a hundred has counts some
 * four to eight. Any value from 5 to 12 ranks nearly alike with models that know the language (docs/benchmarks.md). In a language
 * that the model was not made for, similarity only tells equals apart. Vectors of spelling know nothing that words do not.
 */
const KNOWN = 8;
const HALF_KNOWN = 3;
const FOREIGN = 1;

/** The weight of a vector lane for a question of that language, null when it says neither (kept with the model's space). */
export function vectorWeight({ semantic, languages }: VectorSpace, language: Language | null): number {
  if (!semantic) return 0;
  if (languages === undefined || languages.includes('multilingual')) return KNOWN;
  if (language === null) return HALF_KNOWN;
  return languages.includes(language) ? KNOWN : FOREIGN;
}
