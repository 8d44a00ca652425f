import type { StoredRule } from '../ports.ts';
import type { VisibleStatus } from '../schema.ts';
import type { Analysis } from './lexical/analysis.ts';
import type { Evidence, IndexedRule } from './lexical/evidence.ts';
import type { VocabularyOfScope } from './lexical/ports.ts';
import type { LexicalQuery } from './lexical/query.ts';
import type { SubQuery } from './lexical/settings.ts';

export type { Evidence };

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
  readonly status: VisibleStatus;
}

/** What the search of one scope rests on, as it is at one moment. Rejected rules are never in it. Never fails for any text. */
export interface SearchedScope {
  /** How its rules were read, and questions are. */
  readonly analysis: Analysis;
  readonly vocabulary: VocabularyOfScope;
  /** Rules that any way finds, best first, ties by age (contract 7.4). */
  rank(request: RankRequest): Promise<readonly Candidate[]>;
  /** The words of rules as they are indexed; rules that are not are left out. */
  indexed(ruleIds: readonly string[]): Promise<ReadonlyMap<string, IndexedRule>>;
  find(ruleId: string): Promise<StoredRule | undefined>;
}

/** A rule that stands for what was hit. */
export interface Head {
  readonly rule: StoredRule;
  /** Of its best hit. */
  readonly score: number;
  /** Ids of the rules that were hit and stand for it. */
  readonly hits: string[];
}

export interface HeadQuery {
  /** Rules must hold on this day. */
  readonly day: string;
  readonly relation?: { readonly kind: string; readonly name: string } | undefined;
  /** No more heads than these are looked for. */
  readonly most: number;
  /** Whether it is wanted why each head answers, and so what was hit that stands for it. */
  readonly explain: boolean;
}

export interface LexicalRequest extends HeadQuery {
  readonly text?: string | undefined;
  /** Phrases to look for as they are. */
  readonly given: readonly string[];
  readonly proposals: boolean;
}

/** A question as one scope read it. */
export interface ReadQuestion {
  readonly query: LexicalQuery;
  /** Of the analysis that read it. */
  readonly build: string;
}

export interface LexicalAnswer extends ReadQuestion {
  /** Best first. */
  readonly heads: readonly Head[];
  /** One a head, if it was wanted. */
  readonly evidence: readonly (Evidence | null)[];
}

/** A head whose evidence is asked for. */
export interface Explained {
  readonly ruleId: string;
  /** Rules that were hit and stand for it. */
  readonly hits: readonly string[];
}

/** Lexical search. Whatever was acknowledged before is seen. */
export interface RuleSearch {
  /** The lexical stage in one scope, as it is at one moment. Rejects with the signal's reason, and with `overloaded`. */
  lexical(scope: string, request: LexicalRequest, signal?: AbortSignal): Promise<LexicalAnswer>;
  /** Why heads answer a question; null for one that is not there any more. */
  evidence(scope: string, read: ReadQuestion, heads: readonly Explained[]): Promise<readonly (Evidence | null)[]>;
}
