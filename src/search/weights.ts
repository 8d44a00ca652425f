import type { Language } from './ports.ts';
import type { VectorSpace } from './vectors/ports.ts';

/**
 * What one standard deviation of similarity is worth as lexical score, in which a rare word counts some four to eight. Found on
 * the questions over the demo corpus, checked on sets that had no say in it (docs/benchmarks.md); any value half or twice as large
 * ranks nearly alike. A text that says no language is a name, a code or a few keywords: spelling counts more there. A model of one
 * language sees other pages of a mixed corpus as noise, and in another language it only tells equals apart. Vectors of spelling
 * know nothing that words do not.
 */
const MULTILINGUAL = { question: 9, names: 3 };
const MONOLINGUAL = { own: 3, foreign: 1 };

/** The weight of a vector lane for a question of that language, null when it says neither (kept with the model's space). */
export function vectorWeight({ semantic, languages }: VectorSpace, language: Language | null): number {
  if (!semantic) return 0;
  if (languages === undefined || languages.includes('multilingual'))
    return language === null ? MULTILINGUAL.names : MULTILINGUAL.question;
  return language !== null && languages.includes(language) ? MONOLINGUAL.own : MONOLINGUAL.foreign;
}
