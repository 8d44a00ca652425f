import { Failure } from '../../kernel/failure.ts';
import type { SourceReader } from '../ports.ts';
import { defineRuleOp } from '../rule-op.ts';
import { newSource } from './new-source.ts';
import type { SourceWriter } from './ports.ts';
import { difference } from './same-source.ts';
import { SourceRequest, SourceStored } from './schema.ts';

export interface StoreSourceDeps {
  readonly sources: SourceWriter;
  readonly stored: Pick<SourceReader, 'facts' | 'attachments' | 'auth'>;
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/** Stores a mail or a meeting once; the same again is no change, anything else under its id is `source-conflict`. */
export const storeSource = defineRuleOp({
  name: 'store_source',
  surface: 'rules',
  effect: 'write',
  right: 'propose',
  logs: 'store_source',
  summary: 'Store a mail or a meeting transcript as evidence that rules can quote.',
  input: SourceRequest,
  output: SourceStored,
  touches: request => ({ scopes: [request.scope] }),
  async run({ sources, stored, report }: StoreSourceDeps, ctx, request) {
    const { scope } = request;
    const source = newSource(request, ctx.grant.id, ctx.now());
    const { id } = source.facts;
    const ref = `source/${id}`;
    if (await sources.insert(scope, source, ctx.logRow(201, [ref]))) {
      return { status: 201, output: { created: true, id }, log: [] };
    }
    const facts = (await stored.facts(scope, id))!;
    const reason = difference(source, facts, await stored.attachments(scope, id), await stored.auth(scope, id));
    if (reason === undefined) return { status: 200, output: { created: false, id }, log: [{ scope, refs: [ref] }] };
    report('source-conflict', { grant: ctx.grant.id, scope, reason });
    throw new Failure('source-conflict', 'another source has this id');
  },
});
