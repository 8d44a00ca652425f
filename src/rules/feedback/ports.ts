import type { LogRow } from '../ports.ts';

/** `ref`: of the version for a verdict, of the rule for one that was missing. */
export interface FeedbackItem {
  readonly ref: string;
  readonly verdict: 'relevant' | 'irrelevant' | 'missing';
}

export interface FeedbackStore {
  /** Refs with version that a search of this grant showed in the scope; undefined when the grant made no such search there. */
  shown(scope: string, searchId: string, grantId: string): Promise<readonly string[] | undefined>;
  /** All items of one scope and the row of the log, in one transaction. */
  record(scope: string, searchId: string, items: readonly FeedbackItem[], log: LogRow): Promise<void>;
}
