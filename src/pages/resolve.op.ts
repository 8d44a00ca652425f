import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import type { PagesDeps } from './deps.ts';
import { parseWikilink } from './parse/wikilink.ts';
import { ResolveInput, ResolveOutput } from './schema.ts';
import { pageRef, resolveSlug } from './visible.ts';

export const resolve = defineOp({
  name: 'resolve',
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'Find the page that a [[link]] means, without reading it.',
  input: ResolveInput,
  output: ResolveOutput,
  publishesOutput: false,
  async run({ index, access }: Pick<PagesDeps, 'index' | 'access'>, ctx, input) {
    const parsed = parseWikilink(input.wikilink);
    if (!parsed) {
      throw new Failure('invalid_params', 'resolve: wikilink: not one link; write [[skill::id]] or [[id]]', {
        argument: 'wikilink',
      });
    }
    const reader = await access.reader(ctx.principal);
    const page = await resolveSlug(index, reader, parsed, { asOf: null, scenario: input.scenario || null });
    return { parsed, page: page ? pageRef(page) : null, exists: page !== undefined };
  },
});
