import type { Attachment, SourceFacts, SourceText } from '../model.ts';
import type { LogRow } from '../ports.ts';

/** A source to be stored, whole: nothing is ever added to it later. */
export interface NewSource {
  readonly facts: SourceFacts;
  readonly content: SourceText;
  readonly attachments: readonly Attachment[];
}

export interface SourceWriter {
  /** Source and log row in one transaction. False, and nothing written, when the id is taken. Durable when it resolves. */
  insert(scope: string, source: NewSource, log: LogRow): Promise<boolean>;
}
