import type { Language } from './ports.ts';
import type { VectorSpace } from './vectors/ports.ts';

/**
 * What one standard deviation of similarity is worth beside a lexical answer that covers the whole question. A page that answers a
 * question stands some five deviations above chance in a model that knows the language, so such a page and one that has every word
 * of the question weigh alike. In a language that the model was not made for, similarity only tells equals apart. Vectors of
 * spelling know nothing that words do not.
 */
const KNOWN = 0.2;
const HALF_KNOWN = 0.1;
const FOREIGN = 0.04;

/** The weight of a vector lane for a question of that language, null when it says neither (kept with the model's space). */
export function vectorWeight({ semantic, languages }: VectorSpace, language: Language | null): number {
  if (!semantic) return 0;
  if (languages === undefined || languages.includes('multilingual')) return KNOWN;
  if (language === null) return HALF_KNOWN;
  return languages.includes(language) ? KNOWN : FOREIGN;
}
