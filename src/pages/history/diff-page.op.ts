import { defineOp } from '../../kernel/op.ts';
import { blockChanges } from '../diff/blocks.ts';
import { unifiedDiff } from '../diff/unified.ts';
import { checkedPageId } from '../visible.ts';
import { mayReadNow, readablePast, versionNumber, type PastDeps } from './past.ts';
import { DiffPageInput, DiffPageOutput } from './schema.ts';

const TOOL = 'diff_page';

type Answer = (typeof DiffPageOutput)['_zod']['input'];

export const diffPage = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'Show what changed between two versions of a page, as a unified diff and block by block.',
  input: DiffPageInput,
  output: DiffPageOutput,
  publishesOutput: false,
  async run(deps: PastDeps, ctx, input): Promise<Answer> {
    const pageId = checkedPageId(TOOL, 'page_id', input.page_id);
    const nothing = { page_id: pageId, from: null, to: null, unified: null, blocks: [] };
    if (!(await mayReadNow(deps, ctx.principal, pageId))) return nothing;
    const at = async (version: string | undefined) => {
      const stored =
        version === undefined ? deps.store.head(pageId) : deps.store.version(pageId, versionNumber(version));
      return readablePast(deps, ctx.principal, await stored);
    };
    const [before, after] = [await at(input.from), await at(input.to)];
    if (!before || !after) return nothing;
    const [from, to] = [`v${before.stored.version}`, `v${after.stored.version}`];
    return {
      page_id: pageId,
      from,
      to,
      unified: unifiedDiff(from, to, before.stored.content, after.stored.content),
      blocks: blockChanges(before.blocks, after.blocks),
    };
  },
});
