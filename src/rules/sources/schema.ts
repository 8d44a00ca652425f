import { z } from 'zod';
import { Instant, JamieId, Link, MailId, ScopeName, SourceKind, text } from '../schema.ts';

export const AttachmentIn = z
  .object({
    filename: text(1, 500),
    media_type: text(3, 200),
    size: z.int().nonnegative().nullable(),
    external: text(0, 500).nullable(),
    text: text(0, 2_000_000).nullable(),
    text_origin: z.enum(['ocr', 'description']).nullable(),
  })
  .strict()
  .refine(value => (value.text === null) === (value.text_origin === null), 'text and text_origin go together');

export const Segment = z
  .object({ start_s: z.int().nonnegative(), speaker: text(1, 200).nullable(), text: text(1, 10_000) })
  .strict();

const described = { title: text(1, 500), occurred_at: Instant, sender: text(0, 500).nullable() };
/** How a mail proved where it came from (rules-gaps 14). */
const MailAuth = z.object({ from: text(0, 500), authentication_results: z.array(text(0, 4000)).max(20) }).strict();
const Mail = z
  .object({
    kind: z.literal('mail'),
    id: MailId,
    ...described,
    thread: MailId.nullable(),
    link: Link.nullable(),
    auth: MailAuth.optional(),
  })
  .strict();
const Meeting = z.object({ kind: z.literal('jamie'), id: JamieId, ...described, link: Link }).strict();

/** A mail with its text, or a meeting with its segments, and the complete list of attachments (contract 6.2). */
export const SourceRequest = z
  .object({
    scope: ScopeName,
    source: z.discriminatedUnion('kind', [Mail, Meeting]),
    text: text(1, 5_000_000).optional(),
    segments: z.array(Segment).min(1).max(20_000).optional(),
    attachments: z.array(AttachmentIn).max(200),
  })
  .strict()
  .superRefine((request, problems) => {
    const refuse = (key: 'text' | 'segments', message: string): void =>
      problems.addIssue({ code: 'custom', path: [key], message });
    const mail = request.source.kind === 'mail';
    if (mail !== (request.text !== undefined)) refuse('text', mail ? 'a mail has a text' : 'a meeting has no text');
    if (mail === (request.segments !== undefined)) {
      refuse('segments', mail ? 'a mail has no segments' : 'a meeting has segments');
    }
    const starts = request.segments?.map(segment => segment.start_s) ?? [];
    if (starts.some((start, index) => index > 0 && start < starts[index - 1]!)) {
      refuse('segments', 'start_s must not decrease');
    }
  });
export type SourceRequest = z.output<typeof SourceRequest>;

export const SourceStored = z.object({ created: z.boolean(), id: z.string() }).strict();

/** `include`: `text`, `attachments` or both, by comma, each at most once (contract 6.2a). */
export const SourceQuery = z
  .object({
    scope: ScopeName,
    id: z.string().min(1).max(2000),
    include: z
      .string()
      .optional()
      .refine(value => {
        const parts = value?.split(',') ?? [];
        return parts.every((part, at) => (part === 'text' || part === 'attachments') && parts.indexOf(part) === at);
      }, 'must be text, attachments or both, separated by a comma'),
  })
  .strict();

export const SourceOut = z
  .object({
    id: z.string(),
    scope: ScopeName,
    kind: SourceKind,
    title: z.string().nullable(),
    occurred_at: Instant.nullable(),
    sender: z.string().nullable(),
    thread: z.string().nullable(),
    link: z.string().nullable(),
    fulltext_sha256: z.string().nullable(),
    fetched_at: Instant,
    text_chars: z.int().nullable(),
    segment_count: z.int().nullable(),
    attachments: z.array(
      z
        .object({
          ref: z.string(),
          n: z.int(),
          filename: z.string(),
          media_type: z.string(),
          size: z.int().nullable(),
          external: z.string().nullable(),
          text_origin: z.enum(['ocr', 'description', 'none']),
          text: z.string().nullable().optional(),
        })
        .strict(),
    ),
    text: z.string().optional(),
    segments: z.array(Segment).optional(),
  })
  .strict();
