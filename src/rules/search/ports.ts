import type { VisibleStatus } from '../schema.ts';
import type { Analysis } from './lexical/analysis.ts';
import type { IndexedRule } from './lexical/evidence.ts';
import type { VocabularyOfScope } from './lexical/ports.ts';
import type { SubQuery } from './lexical/settings.ts';

/** What one way of looking for a question looks for: any of the phrases, each a run of words. */
export type Phrases = readonly (readonly string[])[];

export interface RankRequest {
  /** Ways without phrases are left out. */
  readonly ways: Readonly<Partial<Record<SubQuery, Phrases>>>;
  readonly statuses: readonly VisibleStatus[];
  /** Rules are ranked by how they stand on this day. */
  readonly day: string;
  readonly limit: number;
}

export interface Candidate {
  readonly ruleId: string;
  /** Larger is better, within one answer. */
  readonly score: number;
}

/** Lexical search in one scope. Rejected rules are never in it. Never fails for any text. */
export interface RuleSearch {
  /** How rules and questions are read. */
  readonly analysis: Analysis;
  vocabulary(scope: string): Promise<VocabularyOfScope>;
  /** Rules that any way finds, best first, ties by age (contract 7.4). */
  rank(scope: string, request: RankRequest): Promise<readonly Candidate[]>;
  /** The words of rules as they are indexed; rules that are not are left out. */
  indexed(scope: string, ruleIds: readonly string[]): Promise<ReadonlyMap<string, IndexedRule>>;
}
