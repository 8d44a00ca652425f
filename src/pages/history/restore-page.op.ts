import { defineOp } from '../../kernel/op.ts';
import type { PagesDeps } from '../deps.ts';
import type { Issue } from '../schema.ts';
import { UpdatePageOutput } from '../schema.ts';
import { refusal } from '../update-guards.ts';
import { checkedPageId } from '../visible.ts';
import { writePage } from '../write-page.ts';
import { readablePast, versionNumber } from './past.ts';
import { RestorePageInput } from './schema.ts';

const TOOL = 'restore_page';

export const restorePage = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'write',
  execution: 'orchestration',
  scope: 'agent',
  quota: 'writes',
  summary: 'Make the text of an earlier version the newest version of its page; an archived page comes back.',
  input: RestorePageInput,
  output: UpdatePageOutput,
  publishesOutput: true,
  async run(deps: PagesDeps, ctx, input) {
    const pageId = checkedPageId(TOOL, 'page_id', input.page_id);
    const head = await deps.store.head(pageId);
    const readable = head && (await deps.access.mayReadHeader(ctx.principal, deps.project(pageId, head.content)));
    if (!readable) return refused(refusal('not_found', 'page_id', 'there is no such page'));
    const stored = await deps.store.version(pageId, versionNumber(input.version));
    const past = await readablePast(deps, ctx.principal, stored);
    if (!past) return refused(refusal('not_found', 'version', 'the page has no such version that could be read'));
    return writePage(TOOL, deps, ctx, {
      page_id: pageId,
      content: past.stored.content,
      base_version: input.base_version,
      // Restoring means this very text: it is joined with nothing.
      ...(input.base_version === undefined ? {} : { require_exact_base: true }),
      message: input.message ?? `restored from v${past.stored.version}`,
    });
  },
});

const refused = (issue: Issue) => ({ ok: false, issues: [issue] });
