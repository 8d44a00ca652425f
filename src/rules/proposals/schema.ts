import { z } from 'zod';
import {
  Day,
  Instant,
  JamieId,
  Keywords,
  Link,
  ListLimit,
  MailId,
  Relation,
  RuleId,
  RuleKind,
  RuleRef,
  ScopeName,
  text,
} from '../schema.ts';

const quote = text(20, 2000);

/** What a rule is taken from: a place in a meeting, a mail, or the caller's own words (contract 6.3). */
const ProposalSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('jamie'), id: JamieId, quote, timestamp_s: z.int().nonnegative(), link: Link }).strict(),
  z.object({ kind: z.literal('mail'), id: MailId, quote, link: Link.nullable() }).strict(),
  z.object({ kind: z.literal('manual'), quote: text(1, 2000), link: Link.nullable() }).strict(),
]);

export const ProposalRequest = z
  .object({
    scope: ScopeName,
    kind: RuleKind,
    statement: text(10, 500),
    source: ProposalSource,
    said_at: Instant,
    speaker: text(1, 200).nullable(),
    relations: z.array(Relation).max(20),
    keywords: Keywords,
    valid_from: Day,
    supersedes: RuleId.nullable(),
  })
  .strict();
export type ProposalRequest = z.output<typeof ProposalRequest>;

export const ProposalCreated = z
  .object({
    ref: RuleRef,
    status: z.literal('proposed'),
    quote_check: z.object({ checked: z.boolean() }).strict(),
    possible_duplicates: z.array(RuleRef).max(3),
    approval_url: z.url(),
  })
  .strict();

export const ProposalQuery = z.object({ scope: ScopeName, limit: ListLimit, after: RuleId.optional() }).strict();

export const ProposalList = z
  .object({
    proposals: z.array(
      z
        .object({
          ref: RuleRef,
          kind: RuleKind,
          statement: z.string(),
          said_at: Instant,
          source: z.object({ kind: z.string(), id: z.string() }).strict(),
          supersedes: RuleId.nullable(),
          created_at: Instant,
          approval_url: z.url(),
        })
        .strict(),
    ),
    next: RuleId.nullable(),
  })
  .strict();
