import { Failure } from '../../kernel/failure.ts';
import type { SourceReader } from '../ports.ts';
import { defineRuleOp } from '../rule-op.ts';
import { SourceOut, SourceQuery } from './schema.ts';
import { attachmentRef, sourceOut } from './source-out.ts';

export interface ReadSourceDeps {
  readonly stored: Pick<SourceReader, 'facts' | 'attachments' | 'text'>;
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/** A feeder reads back what it stored itself; a source of anyone else answers as one that is not there (contract 6.2a). */
export const readSource = defineRuleOp({
  name: 'read_source',
  surface: 'rules',
  effect: 'read',
  right: 'propose',
  logs: 'read_source',
  summary: 'Read back a source that this grant has stored.',
  input: SourceQuery,
  output: SourceOut,
  touches: query => ({ scopes: [query.scope] }),
  async run({ stored, report }: ReadSourceDeps, { grant }, { scope, id, include }) {
    const facts = await stored.facts(scope, id);
    const outcome = facts?.feeder === grant.id ? '200' : '404';
    report('source-read', { grant: grant.id, scope, outcome });
    if (!facts || outcome === '404') throw new Failure('not-found', 'no such source');
    const wants = new Set(include?.split(','));
    const content = await stored.text(scope, id);
    const attachments = await stored.attachments(scope, id);
    return {
      status: 200,
      log: [{ scope, refs: [`source/${id}`] }],
      output: {
        ...sourceOut(facts),
        scope,
        text_chars: content?.kind === 'mail' ? content.text.length : null,
        segment_count: content?.kind === 'jamie' ? content.segments.length : null,
        attachments: attachments.map(({ text, ...attachment }, at) => ({
          ref: attachmentRef(id, at + 1),
          n: at + 1,
          ...attachment,
          ...(wants.has('attachments') ? { text } : {}),
        })),
        ...(wants.has('text') && content?.kind === 'mail' ? { text: content.text } : {}),
        ...(wants.has('text') && content?.kind === 'jamie' ? { segments: [...content.segments] } : {}),
      },
    };
  },
});
