import type { SynonymsOfWord } from '../../../search/ports.ts';
import type { KnownTerm } from './posting-reader.ts';
import type { Clause } from './scorer.ts';

/** Of the weight of the word itself (as `sub_weights.syn` of the rules contract). */
const SHARE = 0.4;
const MOST_WAYS = 48;

interface Way {
  readonly phrase: string;
  readonly terms: readonly KnownTerm[];
}

/** Something of the same meaning as a word of the question, and the phrases that it stands for. */
export interface SynonymClause extends Clause {
  readonly ways: readonly Way[];
}

/**
 * Clauses for what means the same as a word that weighs `weight` and stands in `docs` documents. A synonym counts less than the word,
 * however much rarer it is.
 */
export function synonymClauses(
  { others }: SynonymsOfWord,
  termOf: (key: string) => KnownTerm | undefined,
  { weight, docs }: { readonly weight: number; readonly docs: number },
): SynonymClause[] {
  const known = others
    .flatMap(({ phrase, ways }) => ways.map(way => ({ phrase, way })))
    .slice(0, MOST_WAYS)
    .flatMap(({ phrase, way }): Way[] => {
      const terms = way.map(termOf).filter(term => term !== undefined);
      return terms.length === way.length ? [{ phrase, terms }] : [];
    });
  const share = { weight: weight * SHARE, atLeast: docs, otherwise: true } as const;
  // One clause for all single words: who says it in three ways says it once.
  const single = known.filter(({ terms }) => terms.length === 1);
  const any = single.flatMap(({ terms }) => terms);
  return [
    ...(any.length === 0 ? [] : [{ ...share, any, all: null, ways: single }]),
    ...known.filter(({ terms }) => terms.length > 1).map(way => ({ ...share, any: [], all: way.terms, ways: [way] })),
  ];
}
