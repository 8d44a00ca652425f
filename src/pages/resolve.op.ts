import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import type { PastDeps } from './history/past.ts';
import { viewer } from './history/viewer.ts';
import { parseWikilink } from './parse/wikilink.ts';
import { ResolveInput, ResolveOutput } from './schema.ts';
import { pageRef, timeAndScenario } from './visible.ts';

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
  async run(deps: PastDeps, ctx, input) {
    const parsed = parseWikilink(input.wikilink);
    if (!parsed) {
      throw new Failure('invalid_params', 'resolve: wikilink: not one link; write [[skill::id]] or [[id]]', {
        argument: 'wikilink',
      });
    }
    const seeing = await viewer(deps, ctx.principal, timeAndScenario('resolve', input));
    const page = await seeing.target(parsed);
    return { parsed, page: page ? pageRef(page) : null, exists: page !== null };
  },
});
