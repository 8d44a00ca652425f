import { z } from 'zod';
import {
  Day,
  DecisionOut,
  Instant,
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
  VisibleStatus,
} from '../schema.ts';

const EntryBase = z.object({
  ref: z.string(),
  kind: z.enum(['rule', 'note', 'meeting', 'mail', 'attachment', 'entity']),
  date: Instant,
  title: z.string(),
  excerpt: z.string().nullable(),
  link: z.string().nullable(),
});

/** Something that belongs to a rule. */
export const Entry = EntryBase.extend({
  origin: z.enum(['deterministic', 'proposed', 'human']),
  proposed: z.boolean(),
}).strict();
export type Entry = z.output<typeof Entry>;

/** The rule version a bundle is about (contract 6.5). */
export const Head = EntryBase.extend({
  kind: RuleKind,
  scope: ScopeName,
  status: VisibleStatus,
  unconfirmed: z.boolean(),
  valid_from: Day,
  valid_until: Day.nullable(),
  superseded_by: RuleId.nullable(),
  last_reviewed_at: Instant,
  age_days: z.int(),
  recheck: z.literal('still valid?').nullable(),
  source: z
    .object({
      kind: SourceKind,
      id: z.string(),
      quote: z.string(),
      timestamp: z.string().nullable(),
      link: z.string().nullable(),
    })
    .strict(),
  speaker: z.string().nullable(),
  relations: z.array(Relation),
  rank: z
    .object({
      a: z.number().nullable(),
      b: z.number().nullable(),
      rrf: z.number().nullable(),
      reranker: z.number().min(0).max(1).nullable(),
    })
    .strict(),
  found_via: z.array(z.string()),
  coverage: z.number().min(0).max(1).nullable(),
  matched_terms: z.int().min(0).nullable(),
  entities: z.array(z.never()),
}).strict();
export type Head = z.output<typeof Head>;

export const GROUPS = [
  'source',
  'thread',
  'attachment',
  'entity',
  'predecessor',
  'successor',
  'contradicts',
  'same-relation',
] as const;

export const Group = z
  .object({ kind: z.enum(GROUPS), count: z.int(), entries: z.array(Entry).max(5), more: z.int() })
  .strict();
export type Group = z.output<typeof Group>;

export const Bundle = z.object({ head: Head, groups: z.array(Group), line: z.string() }).strict();
export type Bundle = z.output<typeof Bundle>;

/** `as_of`: the day that the bundle is about; without a version it also says which one. */
export const ReadRuleInput = z.object({ ref: RuleRef, as_of: Day.optional() }).strict();

export const RuleRead = Bundle.extend({
  version: RuleVersionOut,
  history: z.array(z.object({ version: z.int(), status: Status, changed_at: Instant, reason: z.string() }).strict()),
  decisions: z.array(DecisionOut),
}).strict();

export const ListRulesInput = z
  .object({
    scope: ScopeName,
    status: VisibleStatus.optional(),
    kind: RuleKind.optional(),
    /** `<kind>:<name>`. */
    relation: text(1, 250)
      .regex(/^(customer|product|supplier):./su)
      .optional(),
    limit: ListLimit,
    after: RuleId.optional(),
  })
  .strict();

export const RuleList = z.object({ rules: z.array(Head), next: RuleId.nullable() }).strict();

export const ProvenanceInput = z.object({ ref: RuleRef }).strict();

const Evidence = z
  .object({
    id: z.string(),
    kind: SourceKind,
    title: z.string().nullable(),
    occurred_at: Instant.nullable(),
    sender: z.string().nullable(),
    thread: z.string().nullable(),
    link: z.string().nullable(),
    fulltext_sha256: z.string().nullable(),
    fetched_at: Instant,
  })
  .strict();

/**
 * What a rule rests on (contract 6.5). `excerpt`: a mail's text, or the meeting's window as lines; `segments`: the window;
 * both null for own words.
 */
export const Provenance = z
  .object({
    ref: z.string(),
    source: Evidence,
    quote: z.string(),
    timestamp_s: z.int().nullable(),
    excerpt: z.string().nullable(),
    segments: z
      .array(z.object({ start_s: z.int(), speaker: z.string().nullable(), text: z.string() }).strict())
      .nullable(),
    thread: z.array(Entry),
    attachments: z.array(
      z
        .object({
          ref: z.string(),
          filename: z.string(),
          media_type: z.string(),
          size: z.int().nullable(),
          external: z.string().nullable(),
          text_origin: z.enum(['ocr', 'description', 'none']),
          text: z.string().nullable(),
        })
        .strict(),
    ),
  })
  .strict();
