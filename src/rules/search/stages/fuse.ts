import type { Head as HeadFound } from '../ports.ts';

/** Rank constant of reciprocal rank fusion. */
const K = 60;

export interface Ranked extends HeadFound {
  readonly rank: { readonly a: number | null; readonly b: number | null; readonly rrf: number | null };
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** The order of the lexical stage alone. */
export const lexicalOnly = (heads: readonly HeadFound[]): Ranked[] =>
  heads.map(head => ({ ...head, rank: { a: rounded(head.score, 4), b: null, rrf: null } }));

/** Heads of both stages by reciprocal rank, ties in the order of the first (contract 7.8). */
export function fused(lexical: readonly HeadFound[], semantic: readonly HeadFound[]): Ranked[] {
  const all = new Map<string, { head: HeadFound; a: number | null; b: number | null; rrf: number }>();
  for (const [at, head] of lexical.entries())
    all.set(head.rule.current.ruleId, { head, a: rounded(head.score, 4), b: null, rrf: 1 / (K + at + 1) });
  for (const [at, head] of semantic.entries()) {
    const known = all.get(head.rule.current.ruleId);
    const [b, rrf] = [rounded(head.score, 4), 1 / (K + at + 1)];
    if (known) Object.assign(known, { b, rrf: known.rrf + rrf });
    else all.set(head.rule.current.ruleId, { head, a: null, b, rrf });
  }
  return [...all.values()]
    .toSorted((one, other) => other.rrf - one.rrf)
    .map(({ head, a, b, rrf }) => ({ ...head, rank: { a, b, rrf: rounded(rrf, 6) } }));
}
