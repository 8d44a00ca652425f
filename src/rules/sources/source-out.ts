import type { SourceFacts } from '../model.ts';

/** What is known of a source, as the wire names it. */
export const sourceOut = (facts: SourceFacts) => ({
  id: facts.id,
  kind: facts.kind,
  title: facts.title,
  occurred_at: facts.occurredAt,
  sender: facts.sender,
  thread: facts.thread,
  link: facts.link,
  fulltext_sha256: facts.fulltextSha256,
  fetched_at: facts.fetchedAt,
});

/** An attachment counts from 1 within its source. */
export const attachmentRef = (sourceId: string, n: number): string => `attachment/${sourceId}#${n}`;
