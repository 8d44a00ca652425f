import type { RuleVersion, StoredDecision } from '../model.ts';
import type { LogRow } from '../ports.ts';

/** Everything one decision writes. */
export interface DecisionPlan {
  readonly ruleId: string;
  /** The rule's new version, one above the one that was shown; null for a review that changes nothing. */
  readonly version: (RuleVersion & { readonly status: 'confirmed' | 'rejected' | 'superseded' }) | null;
  /** The new last version of the rule that it replaces. */
  readonly superseded: (RuleVersion & { readonly status: 'superseded' }) | null;
  readonly decision: StoredDecision;
}

/** The writer of decisions. Only the approval channel is handed one. */
export interface DecisionWriter {
  /**
   * Versions, decision, search rows and log row in one transaction. False, and nothing written, when a version that the plan
   * builds on is no longer the newest. Durable when it resolves.
   */
  decide(scope: string, plan: DecisionPlan, log: LogRow): Promise<boolean>;
}

export interface RejectedFilter {
  /** All, or any, must stand in the statement, the quote, the keywords or the reason; in lower case. */
  readonly words: readonly string[];
  readonly match: 'all' | 'any';
  /** The last rule id of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Rejected rules, which exist for the approval channel alone. */
export interface RejectedReader {
  /** As they were rejected, the newest first. */
  list(scope: string, filter: RejectedFilter): Promise<readonly RuleVersion[]>;
  count(scope: string): Promise<number>;
  /** Those in which any of the phrases stands, best first. */
  similar(scope: string, phrases: readonly (readonly string[])[], limit: number): Promise<readonly RuleVersion[]>;
}
