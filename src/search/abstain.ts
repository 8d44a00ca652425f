import type { Evidence } from './fuse.ts';

/** A block this many standard deviations above chance answers a question without sharing its words. */
const VOUCHED_DEVIATIONS = 4;

export interface Abstention {
  readonly reason: 'no-candidate' | 'below-min-coverage' | 'below-reranker-threshold';
  /** Null for `no-candidate`. */
  readonly best_coverage: number | null;
  readonly min_coverage: number;
}

/** Whether a hit covers enough of the question, or the vector lane vouches for it. Asks the lanes, never a fused score (7.6a). */
export function covers({ lexical, vector }: Evidence, minCoverage: number): boolean {
  if (minCoverage <= 0 || (lexical?.coverage ?? 0) >= minCoverage) return true;
  return (vector?.deviations ?? 0) >= VOUCHED_DEVIATIONS;
}

/** Why nothing is left of the candidates (7.6a). */
export function abstention(candidates: readonly Evidence[], minCoverage: number): Abstention {
  if (candidates.length === 0) return { reason: 'no-candidate', best_coverage: null, min_coverage: minCoverage };
  const best = Math.max(...candidates.map(({ lexical }) => lexical?.coverage ?? 0));
  return { reason: 'below-min-coverage', best_coverage: rounded(best), min_coverage: minCoverage };
}

/** Three decimals, as coverage is shown. */
export const rounded = (coverage: number): number => Math.round(coverage * 1000) / 1000;
