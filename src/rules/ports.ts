import type {
  Attachment,
  QuoteMatch,
  RuleVersion,
  Segment,
  SourceAuth,
  SourceFacts,
  SourceText,
  StoredDecision,
} from './model.ts';
import type { Relation } from './schema.ts';

/** Operations that a scope's log knows by name (contract 4.1). */
export type LogOperation =
  | 'search'
  | 'read_rule'
  | 'list_rules'
  | 'provenance'
  | 'propose'
  | 'list_proposals'
  | 'list_rejected'
  | 'decide'
  | 'store_source'
  | 'read_source'
  | 'export'
  | 'feedback'
  | 'list_scopes'
  | 'status';

/** What a search did, beside what it found. The text asked for is never stored. */
export interface SearchTrail {
  readonly terms: readonly string[];
  readonly variants: Readonly<Record<string, readonly string[]>>;
  readonly stages: Readonly<Record<string, unknown>>;
  readonly inputSha256: string | null;
}

/** One access to one scope. */
export interface LogRow {
  /** Shared by all scopes of one call. */
  readonly id: string;
  readonly at: string;
  readonly grantId: string;
  readonly channel: 'mcp' | 'api' | 'approval';
  readonly operation: LogOperation;
  /** As HTTP counts. */
  readonly outcome: number;
  readonly crossScope: boolean;
  readonly refs: readonly string[];
  readonly search?: SearchTrail | undefined;
}

export interface AccessLog {
  write(scope: string, row: LogRow): Promise<void>;
}

/** Why a scope is locked: a word for the operator. */
export interface ScopeState {
  readonly created: boolean;
  readonly lock: string | null;
}

export interface ScopeCounts {
  readonly proposed: number;
  readonly confirmed: number;
  readonly superseded: number;
  /** Newest change of a rule or arrival of a source; null in an empty scope. */
  readonly lastWrite: string | null;
}

/** The scope files as a whole. */
export interface Scopes {
  /** `scope-locked` when the scope must not be used. */
  ensureOpen(scope: string): Promise<void>;
  state(scope: string): Promise<ScopeState>;
  /** Share of the rules that new search tables have while old ones are still in use, 0 to 1; null when none are made. */
  filling(scope: string): Promise<number | null>;
  /** Rejected rules are not counted. */
  counts(scope: string): Promise<ScopeCounts>;
}

/** Narrows a list of current versions; rule ids come in the order in which they were made. */
export interface RuleFilter {
  readonly statuses: readonly RuleVersion['status'][];
  readonly kind?: RuleVersion['kind'] | undefined;
  readonly relation?: { readonly kind: string; readonly name: string } | undefined;
  /** Those whose newest confirmation or review lies before this instant. */
  readonly reviewedBefore?: string | undefined;
  /** The last rule id of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A rule as it is now. */
export interface StoredRule {
  readonly current: RuleVersion;
  readonly createdAt: string;
  /** Of its newest confirm or review decision; else when it was made. */
  readonly lastReviewedAt: string;
}

export interface RuleReader {
  find(scope: string, ruleId: string): Promise<StoredRule | undefined>;
  /** Oldest first; none when there is no such rule. */
  versions(scope: string, ruleId: string): Promise<readonly RuleVersion[]>;
  /** Oldest first. */
  decisions(scope: string, ruleId: string): Promise<readonly StoredDecision[]>;
  /** Where the quote of a rule was found when it was proposed, in the order of the source; none for own words. */
  quoteMatches(scope: string, ruleId: string): Promise<readonly QuoteMatch[]>;
  /** Confirmed rules whose newest confirmation or review lies before an instant. */
  countReviewedBefore(scope: string, instant: string): Promise<number>;
  list(scope: string, filter: RuleFilter): Promise<readonly StoredRule[]>;
  /** Ids of confirmed rules that hold on the day and share a relation, same kind, same name in any case: newest first by date. */
  sharing(
    scope: string,
    relations: readonly Pick<Relation, 'kind' | 'name'>[],
    day: string,
  ): Promise<readonly string[]>;
}

export interface SourceReader {
  facts(scope: string, sourceId: string): Promise<SourceFacts | undefined>;
  /** Undefined for a source of one's own words or an unknown one. */
  text(scope: string, sourceId: string): Promise<SourceText | undefined>;
  segments(
    scope: string,
    sourceId: string,
    fromS: number,
    untilS: number,
  ): Promise<readonly (Segment & { n: number })[]>;
  /** Of mails whose feeder said so. */
  auth(scope: string, sourceId: string): Promise<SourceAuth | undefined>;
  /** Kinds of what looks like a secret in the source or its attachments, each once. */
  secretKinds(scope: string, sourceId: string): Promise<readonly string[]>;
  attachments(scope: string, sourceId: string): Promise<readonly Attachment[]>;
  /** How the text begins, some hundred characters; null for own words. */
  opening(scope: string, sourceId: string): Promise<string | null>;
  /** Mails of a thread, the one whose id is `thread` included, newest first. */
  thread(scope: string, thread: string): Promise<readonly (SourceFacts & { readonly start: string })[]>;
}

/** What people asked for lately, as the scope's log knows it. */
export interface ServedReader {
  /** How often versions of each rule were found or read by agents and programs, of the last 100,000 accesses. */
  served(scope: string): Promise<ReadonlyMap<string, number>>;
}
