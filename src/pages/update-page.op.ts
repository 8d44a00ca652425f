import { defineOp } from '../kernel/op.ts';
import type { PagesDeps } from './deps.ts';
import { UpdatePageInput, UpdatePageOutput } from './schema.ts';
import { checkedPageId } from './visible.ts';
import { writePage } from './write-page.ts';

const TOOL = 'update_page';

export const updatePage = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'write',
  execution: 'orchestration',
  scope: 'agent',
  quota: 'writes',
  summary: 'Create a page or replace the whole of it, guarded by the version it was drafted from.',
  input: UpdatePageInput,
  output: UpdatePageOutput,
  publishesOutput: true,
  async run(deps: PagesDeps, ctx, input) {
    return writePage(TOOL, deps, ctx, { ...input, page_id: checkedPageId(TOOL, 'page_id', input.page_id) });
  },
});
