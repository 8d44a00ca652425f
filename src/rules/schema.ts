import { z } from 'zod';

const LONE_SURROGATE = /\p{Cs}/u;

/** Text that every store keeps as it is: no U+0000, no half of a surrogate pair. Lengths count characters, as the stored schema does. */
export const text = (min: number, max: number): z.ZodString =>
  z.string().min(min).max(max).refine(isStorable, 'holds a character that cannot be stored');

/** Shared wire values of the rules surface (contract 3, 4.3, 6.1). */
export const ScopeName = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/);
export const Day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine(isCalendarDay, 'is no day of the calendar');
export const Instant = z.iso.datetime();
export const RuleId = z.string().regex(/^[a-z][a-z0-9-]{1,39}-\d{4,}$/);
export const RuleRef = z.string().regex(/^rule\/[a-z][a-z0-9-]{1,39}-\d{4,}(@[1-9]\d*)?$/);
export const Relation = z
  .object({ kind: z.enum(['customer', 'product', 'supplier']), name: text(1, 200), ref: text(1, 200).nullable() })
  .strict();
export const Keywords = z.array(text(2, 100)).max(30);
export const RuleKind = z.enum(['rule', 'note']);
export const Status = z.enum(['proposed', 'confirmed', 'superseded', 'rejected']);
/** What callers outside the approval channel may name or see: a rejected rule does not exist there (contract 1.8). */
export const VisibleStatus = z.enum(['proposed', 'confirmed', 'superseded']);
export const SourceKind = z.enum(['jamie', 'mail', 'manual']);
export const MailId = text(1, 2000).regex(/^mail:<[^<>\s]+>$/);
export const JamieId = z.string().regex(/^jamie:[A-Za-z0-9._-]{1,200}$/);
export const Link = z.url({ protocol: /^https?$/ }).refine(isStorable, 'holds a character that cannot be stored');

export type Relation = z.output<typeof Relation>;
export type RuleKind = z.output<typeof RuleKind>;
export type Status = z.output<typeof Status>;
export type VisibleStatus = z.output<typeof VisibleStatus>;
export type SourceKind = z.output<typeof SourceKind>;

/** One version of a rule on the wire (contract 6.5). */
export const RuleVersionOut = z
  .object({
    rule_id: RuleId,
    version: z.int(),
    kind: RuleKind,
    statement: z.string(),
    source: z
      .object({
        kind: SourceKind,
        id: z.string(),
        quote: z.string(),
        timestamp_s: z.int().nullable(),
        link: z.string().nullable(),
      })
      .strict(),
    said_at: Instant,
    speaker: z.string().nullable(),
    relations: z.array(Relation),
    keywords: z.array(z.string()),
    valid_from: Day,
    valid_until: Day.nullable(),
    supersedes: RuleId.nullable(),
    superseded_by: RuleId.nullable(),
    status: Status,
    reason: z.string(),
    changed_by: z.string(),
    changed_at: Instant,
  })
  .strict();

/** How a scope treats proposals: a person decides each, the policy adopts some, or most (rules-gaps 7). */
export const ApprovalMode = z.enum(['manual', 'classified', 'autonomous']);

/** A decision as everyone sees it: the identity of the person is shown on the approval pages alone. */
export const DecisionOut = z
  .object({
    kind: z.enum(['confirm', 'reject', 'revoke', 'review', 'retract']),
    version: z.int(),
    decided_by: z.string(),
    decided_at: Instant,
    reason: z.string().nullable(),
    new_version: z.int().nullable(),
    /** Whether a person's grant decided or the policy. */
    origin: z.enum(['grant', 'auto']),
    /** Of the scope at that time. */
    mode: ApprovalMode,
  })
  .strict();
export type DecisionOut = z.output<typeof DecisionOut>;

/** How a list is paged: `after` is the last rule id of the page before. */
export const ListLimit = z.int().min(1).max(200).default(100);

function isStorable(value: string): boolean {
  return !value.includes('\0') && !LONE_SURROGATE.test(value);
}

function isCalendarDay(value: string): boolean {
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}
