import type { ScopeAnswer } from './answer.ts';
import type { SearchResponse } from './schema.ts';

/**
 * Why nothing is shown (contract 6.5). Without a configured minimum, and where the last stage did not run, only a lack of
 * candidates can be the reason.
 */
export function abstention(
  found: readonly Pick<ScopeAnswer, 'all' | 'kept' | 'stages'>[],
  minCoverage: number,
): NonNullable<SearchResponse['abstained']> {
  const some = found.filter(({ all, kept }) => all.length > 0 && kept.length === 0);
  if (some.length === 0) return { reason: 'no-candidate', best_coverage: null, min_coverage: minCoverage };
  const best = Math.max(...some.flatMap(({ all }) => all.map(({ coverage }) => coverage ?? 0)));
  const wasRead = some.some(({ stages }) => stages.c.state === 'ran');
  const reason = wasRead ? 'below-reranker-threshold' : 'below-min-coverage';
  return { reason, best_coverage: best, min_coverage: minCoverage };
}
