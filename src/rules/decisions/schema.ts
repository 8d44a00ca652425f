import { z } from 'zod';
import { Entry } from '../bundles/schema.ts';
import {
  Day,
  DecisionOut,
  Instant,
  Keywords,
  ListLimit,
  Relation,
  RuleId,
  RuleKind,
  RuleRef,
  RuleVersionOut,
  ScopeName,
  SourceKind,
  Status,
  text,
} from '../schema.ts';

/** What a person may still change when confirming: never the evidence (contract 6.4). */
const Change = z
  .object({
    statement: text(10, 500),
    kind: RuleKind,
    keywords: Keywords,
    relations: z.array(Relation).max(20),
    valid_from: Day,
    said_at: Instant,
    speaker: text(1, 200).nullable(),
    supersedes: RuleId.nullable(),
  })
  .partial()
  .strict();

export const DecisionRequest = z.discriminatedUnion('decision', [
  z
    .object({
      decision: z.literal('confirm'),
      version: z.int().positive(),
      change: Change.optional(),
      reason: text(1, 1000).optional(),
    })
    .strict(),
  z.object({ decision: z.literal('reject'), version: z.int().positive(), reason: text(1, 1000) }).strict(),
  z
    .object({ decision: z.literal('revoke'), version: z.int().positive(), reason: text(1, 1000), valid_until: Day })
    .strict(),
  z
    .object({
      decision: z.literal('review'),
      version: z.int().positive(),
      change: z.object({ keywords: Keywords }).strict().optional(),
      reason: text(1, 1000).optional(),
    })
    .strict(),
]);
export type DecisionRequest = z.output<typeof DecisionRequest>;

/** One decision: the rule, the body as sent, and the digest of what was shown, from the form or `If-Match`. */
export const DecideInput = z
  .object({
    id: RuleId,
    shown_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    body: DecisionRequest,
  })
  .strict();

export const Decided = z.object({ ref: RuleRef, status: Status, decision: DecisionOut }).strict();

/** A stretch of a text in UTF-16 units, to be marked. */
const Mark = z.object({ start: z.int(), end: z.int() }).strict();

/** Where a quote stands: the whole mail, or the part of a meeting around its second; null for own words. */
export const QuoteContext = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('mail'), text: z.string(), mark: Mark }).strict(),
    z
      .object({
        kind: z.literal('meeting'),
        segments: z.array(
          z
            .object({
              start_s: z.int(),
              time: z.string(),
              speaker: z.string().nullable(),
              text: z.string(),
              mark: Mark.nullable(),
            })
            .strict(),
        ),
      })
      .strict(),
  ])
  .nullable();
export type QuoteContext = z.output<typeof QuoteContext>;

export const ShowInput = z.object({ id: RuleId }).strict();

const Alike = z.object({ ref: RuleRef, status: Status, statement: z.string(), reason: z.string() }).strict();

/** Everything a person looks at before deciding; `shown_sha256` stands for it in the form. */
export const RuleShown = z
  .object({
    ref: RuleRef,
    shown_sha256: z.string(),
    version: RuleVersionOut,
    /** Since the newest confirmation or review; `due`: it is time to ask whether it still holds. Null unless confirmed. */
    standing: z.object({ last_reviewed_at: Instant, age_days: z.int(), due: z.boolean() }).strict().nullable(),
    source: z
      .object({
        id: z.string(),
        kind: SourceKind,
        title: z.string().nullable(),
        sender: z.string().nullable(),
        occurred_at: Instant.nullable(),
        link: z.string().nullable(),
        fetched_at: Instant,
        /** Kinds of what looks like a secret in it. */
        secret_kinds: z.array(z.string()),
        /** Of mails whose feeder said so: who sent it, and one word for each way of proving that, or null. */
        auth: z
          .object({
            from: z.string(),
            authentication_results: z.array(z.string()),
            spf: z.string().nullable(),
            dkim: z.string().nullable(),
            dmarc: z.string().nullable(),
          })
          .strict()
          .nullable(),
      })
      .strict(),
    context: QuoteContext,
    attachments: z.array(Entry),
    thread: z.array(Entry),
    replaces: RuleVersionOut.nullable(),
    possible_duplicates: z.array(Alike),
    rejected_similar: z.array(Alike),
    history: z.array(RuleVersionOut),
    decisions: z.array(DecisionOut.extend({ decided_by_identity: z.string() }).strict()),
  })
  .strict();

export const RejectedInput = z
  .object({
    scope: ScopeName,
    q: text(1, 500).optional(),
    /** Whether all words of `q` must be there, or any of the longer ones. */
    match: z.enum(['all', 'any']).default('all'),
    limit: ListLimit,
    after: RuleId.optional(),
  })
  .strict();

export const RejectedList = z
  .object({ rules: z.array(RuleVersionOut.extend({ ref: RuleRef }).strict()), next: RuleId.nullable() })
  .strict();

export const RecheckInput = z.object({ scope: ScopeName.optional() }).strict();

/** Confirmed rules that are due, most served first: at most 200 a scope, `due` counts all. Locked scopes are left out. */
export const Recheck = z
  .object({
    scopes: z.array(
      z
        .object({
          scope: ScopeName,
          due: z.int(),
          rules: z.array(
            RuleVersionOut.extend({ last_reviewed_at: Instant, age_days: z.int(), served: z.int() }).strict(),
          ),
        })
        .strict(),
    ),
  })
  .strict();

export const InboxInput = z.object({ scope: ScopeName.optional(), text: text(1, 200).optional() }).strict();

/** What waits for a decision, oldest first: at most 200 a scope, `waiting` counts all that the filter leaves. */
export const Inbox = z
  .object({
    scopes: z.array(
      z
        .object({
          scope: ScopeName,
          locked: z.boolean(),
          waiting: z.int(),
          /** Of the whole scope, whatever the filter; null while it is locked. */
          counts: z
            .object({ confirmed: z.int(), superseded: z.int(), rejected: z.int(), due: z.int() })
            .strict()
            .nullable(),
          proposals: z.array(RuleVersionOut.extend({ created_at: Instant }).strict()),
        })
        .strict(),
    ),
  })
  .strict();
