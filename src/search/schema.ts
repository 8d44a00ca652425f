import type { Json } from '../kernel/json.ts';

/** Operators of a filter value (pages contract, FilterClause). */
export const FILTER_OPERATORS = ['>=', '<=', '>', '<', 'in', 'not'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** One test on one frontmatter key; all clauses of a filter must hold (E286-E292). */
export interface FilterClause {
  readonly key: string;
  readonly operator: 'equals' | FilterOperator;
  readonly value: Json;
}
