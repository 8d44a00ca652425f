import type { QuoteMatch, RuleVersion } from '../model.ts';
import type { LogRow } from '../ports.ts';

/** The first version of a rule. It is proposed, whatever it says. */
export interface NewProposal extends Pick<
  RuleVersion,
  | 'kind'
  | 'statement'
  | 'sourceId'
  | 'quote'
  | 'timestampS'
  | 'sourceLink'
  | 'saidAt'
  | 'speaker'
  | 'relations'
  | 'keywords'
  | 'validFrom'
  | 'supersedes'
  | 'reason'
> {
  /** Where the quote was found; none for own words. */
  readonly matches: readonly QuoteMatch[];
  /** Grant id. */
  readonly proposedBy: string;
  readonly at: string;
}

/** The first of the three writers of rules: it can only propose. */
export interface ProposalWriter {
  /**
   * Rule, first version, search row and log row in one transaction; a source of own words is made on first use.
   * Answers the ref of the version, or undefined, and nothing is written, when `supersedes` is no confirmed rule any more.
   * Durable when it resolves.
   */
  insertProposed(scope: string, proposal: NewProposal, log: (ref: string) => LogRow): Promise<string | undefined>;
}
