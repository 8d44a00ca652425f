import type { Attachment, SourceAuth, SourceFacts } from '../model.ts';
import type { NewSource } from './ports.ts';

export type SourceDifference = 'other-feeder' | 'source-differs' | 'attachments-differ';

const COMPARED = ['kind', 'title', 'occurredAt', 'sender', 'thread', 'link', 'fulltextSha256'] as const;
const ATTACHMENT = ['filename', 'media_type', 'size', 'external', 'text', 'text_origin'] as const;

/** How a source that is sent again differs from the stored one; undefined when it is the same (contract 6.2). */
export function difference(
  sent: NewSource,
  stored: SourceFacts,
  attachments: readonly Attachment[],
  auth: SourceAuth | undefined,
): SourceDifference | undefined {
  if (sent.facts.feeder !== stored.feeder) return 'other-feeder';
  if (COMPARED.some(key => sent.facts[key] !== stored[key])) return 'source-differs';
  if (!sameAuth(sent.auth, auth)) return 'source-differs';
  const alike =
    sent.attachments.length === attachments.length &&
    sent.attachments.every((one, at) => ATTACHMENT.every(key => one[key] === attachments[at]![key]));
  return alike ? undefined : 'attachments-differ';
}

function sameAuth(sent: SourceAuth | null, stored: SourceAuth | undefined): boolean {
  if (!sent || !stored) return !sent && !stored;
  const [one, other] = [sent.authentication_results, stored.authentication_results];
  return sent.from === stored.from && one.length === other.length && one.every((header, at) => header === other[at]);
}
