import { rounded, type RankedHit, type Retrieved } from '../search/index.ts';

/** What each lane says about a hit. It tells of the hit's own page and of the question, never of other pages. */
export function hitEvidence({ evidence: { lexical, vector }, reranked }: RankedHit) {
  return {
    lexical: lexical && {
      rank: lexical.rank,
      share: rounded(lexical.share),
      coverage: rounded(lexical.coverage),
      matched_terms: [...lexical.matched],
    },
    vector: vector && {
      rank: vector.rank,
      similarity: rounded(vector.similarity),
      deviations: rounded(vector.deviations),
    },
    rerank: reranked,
  };
}

/** How a search was answered as a whole. */
export function searchEvidence({ language, corrections, synonyms, vector, rerank }: Retrieved) {
  return {
    language,
    corrections: corrections.map(({ word, instead }) => ({ word, instead })),
    synonyms: synonyms.map(({ word, also }) => ({ word, also: [...also] })),
    vector: vector && { model: vector.space.model, weight: vector.weight },
    rerank,
  };
}
