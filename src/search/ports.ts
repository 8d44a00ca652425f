import type { ReadScope } from '../auth/schema.ts';
import type { FilterClause } from './schema.ts';

/** What narrows a lane. Every lane applies all of it by itself, before fusion (architecture 5). */
export interface LaneFilter {
  readonly scope: ReadScope;
  readonly pageType: 'skill' | 'instance' | null;
  readonly skill: string | null;
  readonly pageId: string | null;
  /** RFC 3339 UTC; undated pages survive every cut (S27). */
  readonly asOf: string | null;
  /** null: base pages only; a name: base and that overlay. */
  readonly scenario: string | null;
  readonly clauses: readonly FilterClause[];
}

/** One term of a query: the words that must stand next to each other, as the user typed them. */
export interface Term {
  readonly words: readonly string[];
}

export interface LaneHit {
  readonly pageId: string;
  readonly anchor: string;
  readonly content: string;
  /** Larger is better; comparable within one answer of one lane only. */
  readonly score: number;
}

/** Finds blocks by words. Never fails for any text; no terms, no hits. */
export interface LexicalLane {
  search(terms: readonly Term[], filter: LaneFilter, limit: number): Promise<readonly LaneHit[]>;
}
