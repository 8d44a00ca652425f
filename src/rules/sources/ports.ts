import type { Attachment, SourceAuth, SourceFacts, SourceText } from '../model.ts';
import type { LogRow } from '../ports.ts';
import type { SecretFinding } from '../secrets.ts';

/** A source to be stored, whole: nothing is ever added to it later. */
export interface NewSource {
  readonly facts: SourceFacts;
  readonly content: SourceText;
  readonly attachments: readonly Attachment[];
  readonly auth: SourceAuth | null;
  /** What looks like a secret in it, by where it stands; both numbers count from 1 and are null for the text of a mail. */
  readonly secrets: readonly (SecretFinding & {
    readonly attachment: number | null;
    readonly segment: number | null;
  })[];
}

export interface SourceWriter {
  /** Source and log row in one transaction. False, and nothing written, when the id is taken. Durable when it resolves. */
  insert(scope: string, source: NewSource, log: LogRow): Promise<boolean>;
}
