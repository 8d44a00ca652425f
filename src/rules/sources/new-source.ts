import { sha256 } from '../../kernel/hash.ts';
import type { Segment, SourceText } from '../model.ts';
import type { NewSource } from './ports.ts';
import type { SourceRequest } from './schema.ts';

/** The row that a request stands for; `feeder` is the grant that sends it. */
export function newSource(request: SourceRequest, feeder: string, at: Date): NewSource {
  const { source } = request;
  const content: SourceText =
    source.kind === 'mail' ? { kind: 'mail', text: request.text! } : { kind: 'jamie', segments: request.segments! };
  return {
    facts: {
      id: source.id,
      kind: source.kind,
      title: source.title,
      occurredAt: source.occurred_at,
      sender: source.sender,
      thread: source.kind === 'mail' ? source.thread : null,
      link: source.link,
      fulltextSha256: sha256(content.kind === 'mail' ? content.text : canonicalSegments(content.segments)),
      fetchedAt: at.toISOString(),
      feeder,
    },
    content,
    attachments: request.attachments.map(attachment => ({
      ...attachment,
      text_origin: attachment.text_origin ?? 'none',
    })),
  };
}

/** JSON without white space, keys in the order of the schema (rules-gaps 15). */
const canonicalSegments = (segments: readonly Segment[]): string =>
  JSON.stringify(segments.map(({ start_s, speaker, text }) => ({ start_s, speaker, text })));
