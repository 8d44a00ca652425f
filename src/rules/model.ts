import type { DecisionOut, Relation, RuleKind, SourceKind, Status } from './schema.ts';

/** One stored version of a rule. Calendar days are `YYYY-MM-DD`, instants end in Z. */
export interface RuleVersion {
  readonly ruleId: string;
  readonly version: number;
  readonly kind: RuleKind;
  readonly statement: string;
  readonly sourceId: string;
  readonly quote: string;
  /** Meetings: seconds from the start. */
  readonly timestampS: number | null;
  readonly sourceLink: string | null;
  readonly saidAt: string;
  readonly speaker: string | null;
  readonly relations: readonly Relation[];
  readonly keywords: readonly string[];
  readonly validFrom: string;
  /** The first day on which it no longer holds. */
  readonly validUntil: string | null;
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
  readonly status: Status;
  readonly reason: string;
  /** Grant id. */
  readonly changedBy: string;
  readonly changedAt: string;
}

/** What is known of a source beside its text. */
export interface SourceFacts {
  readonly id: string;
  readonly kind: SourceKind;
  readonly title: string | null;
  readonly occurredAt: string | null;
  readonly sender: string | null;
  readonly thread: string | null;
  readonly link: string | null;
  readonly fulltextSha256: string | null;
  readonly fetchedAt: string;
  /** The grant that stored it; never shown. */
  readonly feeder: string;
}

/** How a mail proved where it came from, as its feeder said. */
export interface SourceAuth {
  readonly from: string;
  /** Headers of that name, the newest first. */
  readonly authentication_results: readonly string[];
  /** One word each, as `resultsOf` reads them; null where nothing was said. */
  readonly spf: string | null;
  readonly dkim: string | null;
  readonly dmarc: string | null;
}

/** A stretch of a source in which a quote was found, in UTF-16 units. */
export interface QuoteMatch {
  /** 0: the text of a mail; else the number of a segment. */
  readonly part: number;
  readonly start: number;
  /** The unit after the last one. */
  readonly stop: number;
}

export interface Segment {
  /** Seconds from the start of the meeting. */
  readonly start_s: number;
  readonly speaker: string | null;
  readonly text: string;
}

export interface Attachment {
  readonly filename: string;
  readonly media_type: string;
  /** Bytes. */
  readonly size: number | null;
  readonly external: string | null;
  readonly text: string | null;
  readonly text_origin: 'ocr' | 'description' | 'none';
}

/** The text a quote can come from: a mail as received, or a meeting's segments in order. */
export type SourceText =
  | { readonly kind: 'mail'; readonly text: string }
  | { readonly kind: 'jamie'; readonly segments: readonly Segment[] };

/** A decision with the identity of who made it. */
export type StoredDecision = DecisionOut & { readonly decided_by_identity: string };
