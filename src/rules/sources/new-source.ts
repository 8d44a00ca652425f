import { sha256 } from '../../kernel/hash.ts';
import type { Segment, SourceText } from '../model.ts';
import { findSecrets } from '../secrets.ts';
import { resultsOf } from './mail-auth.ts';
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
    auth:
      source.kind === 'mail' && source.auth
        ? { ...source.auth, ...resultsOf(source.auth.authentication_results) }
        : null,
    secrets: secretsOf(request),
  };
}

function secretsOf({ text = '', segments = [], attachments }: SourceRequest): NewSource['secrets'] {
  const at = (content: string, attachment: number | null, segment: number | null) =>
    findSecrets(content).map(finding => ({ ...finding, attachment, segment }));
  return [
    ...at(text, null, null),
    ...segments.flatMap((one, index) => at(one.text, null, index + 1)),
    ...attachments.flatMap((one, index) => at(one.text ?? '', index + 1, null)),
  ];
}

/** JSON without white space, keys in the order of the schema (rules-gaps 15). */
const canonicalSegments = (segments: readonly Segment[]): string =>
  JSON.stringify(segments.map(({ start_s, speaker, text }) => ({ start_s, speaker, text })));
