import type { StoredRule } from '../ports.ts';
import type { VisibleStatus } from '../schema.ts';

/** One thing to look for: found when any of its phrases is there. */
export interface SearchTerm {
  /** As the caller gave it, or the word of the text. */
  readonly name: string;
  /** Each a run of words that stand next to each other. */
  readonly phrases: readonly (readonly string[])[];
}

export interface Candidate {
  readonly rule: StoredRule;
  /** Larger is better, within one answer. */
  readonly score: number;
}

/** Lexical search in one scope. Rejected rules are never in it. Never fails for any text. */
export interface RuleSearch {
  /** Rules in which any of the terms stands, best first, ties by age. */
  candidates(
    scope: string,
    terms: readonly SearchTerm[],
    statuses: readonly VisibleStatus[],
    limit: number,
  ): Promise<readonly Candidate[]>;
  /** For each term: in how many rules it stands, and in which of the named ones. */
  standing(
    scope: string,
    terms: readonly SearchTerm[],
    ruleIds: readonly string[],
  ): Promise<readonly { readonly rules: number; readonly among: ReadonlySet<string> }[]>;
  /** How many rules can be found at all. */
  size(scope: string): Promise<number>;
}
