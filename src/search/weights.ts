import type { Language } from './ports.ts';
import type { VectorSpace } from './vectors/ports.ts';

/**
 * What one standard deviation of similarity is worth as lexical score, in which a rare word counts some four to eight. Found on
 * the questions over the demo corpus, checked on sets that had no say in it (docs/benchmarks.md); any value half or twice as large
 * ranks nearly alike. A few words in no certain language are a name, a code or keywords: spelling counts more there. A model of
 * one language sees other pages of a mixed corpus as noise, and in another language it only tells equals apart. Vectors of
 * spelling know nothing that words do not.
 */
const MULTILINGUAL = { question: 9, names: 3 };
const MONOLINGUAL = { question: 4, unsure: 2, foreign: 1 };
/** So many words are a sentence, whatever its language. */
const SENTENCE = 5;

/** The weight of a vector lane for a text of that language, null when it says neither (kept with the model's space). */
export function vectorWeight({ semantic, languages }: VectorSpace, language: Language | null, text: string): number {
  if (!semantic) return 0;
  const names = language === null && text.trim().split(/\s+/u).length < SENTENCE;
  if (languages === undefined || languages.includes('multilingual'))
    return names ? MULTILINGUAL.names : MULTILINGUAL.question;
  if (language === null) return names ? MONOLINGUAL.foreign : MONOLINGUAL.unsure;
  return languages.includes(language) ? MONOLINGUAL.question : MONOLINGUAL.foreign;
}
