import type { Language } from '../stopwords.ts';

/** Switches of the lexical stage (contract 3, `search.lexical.features`). */
const FEATURES_ON = ['stem', 'decompound', 'normalize', 'fuzzy', 'synonyms', 'validity', 'keyterms'] as const;
const FEATURES_OFF = ['trigram', 'prf'] as const;
type Feature = (typeof FEATURES_ON)[number] | (typeof FEATURES_OFF)[number];

/** One way of looking for the same question; each ranks by itself. */
export const SUB_QUERIES = ['word', 'stem', 'syn', 'fuzzy', 'tri', 'prf'] as const;
export type SubQuery = (typeof SUB_QUERIES)[number];

/** What the lexical stage runs with. */
export interface LexicalSettings {
  readonly languages: readonly Language[];
  /** Groups of words that mean the same. */
  readonly synonyms: readonly (readonly string[])[];
  readonly features: Readonly<Record<Feature, boolean>>;
  /** Of keywords, statement, relations and quote. */
  readonly fieldWeights: readonly [number, number, number, number];
  readonly fusion: 'score' | 'rrf';
  readonly rrfK: number;
  readonly subWeights: Readonly<Record<SubQuery, number>>;
  readonly maxKeyTerms: number;
  /** A text with more content words than this is asked by its key terms. */
  readonly longTextTokens: number;
  readonly maxFuzzyTerms: number;
}

/** `search.lexical` as it stands in the configuration; every key may be missing. */
export interface GivenLexical {
  readonly features?: Partial<Record<Feature, boolean | undefined>> | undefined;
  readonly field_weights?: readonly [number, number, number, number] | undefined;
  readonly fusion?: 'score' | 'rrf' | undefined;
  readonly rrf_k?: number | undefined;
  readonly sub_weights?: Partial<Record<SubQuery, number | undefined>> | undefined;
  readonly max_key_terms?: number | undefined;
  readonly long_text_tokens?: number | undefined;
  readonly max_fuzzy_terms?: number | undefined;
}

const SUB_WEIGHTS: Readonly<Record<SubQuery, number>> = {
  word: 1,
  stem: 0.8,
  syn: 0.4,
  fuzzy: 0.4,
  tri: 0.3,
  prf: 0.2,
};

/** The settings that a configuration stands for (contract 3). */
export function lexicalSettings(
  given: GivenLexical | null = null,
  languages: readonly Language[] = ['de', 'en'],
  synonyms: readonly (readonly string[])[] = [],
): LexicalSettings {
  const defaults = [...FEATURES_ON.map(name => [name, true]), ...FEATURES_OFF.map(name => [name, false])];
  return {
    languages,
    synonyms,
    features: merged(Object.fromEntries(defaults) as Record<Feature, boolean>, given?.features),
    fieldWeights: given?.field_weights ?? [4, 3, 2, 1],
    fusion: given?.fusion ?? 'score',
    rrfK: given?.rrf_k ?? 60,
    subWeights: merged(SUB_WEIGHTS, given?.sub_weights),
    maxKeyTerms: given?.max_key_terms ?? 6,
    longTextTokens: given?.long_text_tokens ?? 25,
    maxFuzzyTerms: given?.max_fuzzy_terms ?? 8,
  };
}

const merged = <K extends string, V>(defaults: Readonly<Record<K, V>>, given: Partial<Record<K, V | undefined>> = {}) =>
  ({ ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }) as Record<
    K,
    V
  >;
