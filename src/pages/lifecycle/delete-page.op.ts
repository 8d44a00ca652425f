import { defineOp, type Ctx } from '../../kernel/op.ts';
import type { PagesDeps } from '../deps.ts';
import { isMetaSkill } from '../meta-skill.ts';
import { stampHeader } from '../parse/index.ts';
import type { ChangeSet } from '../ports.ts';
import type { Issue } from '../schema.ts';
import { backendProblem, layerProblem, refusal } from '../update-guards.ts';
import { checkedPageId } from '../visible.ts';
import { ATTEMPTS, busy, gatherLeaving, leavingDenied, META_PROTECTED, notFound, type Leaving } from './leaving.ts';
import { DeletePageInput, DeletePageOutput } from './schema.ts';

const TOOL = 'delete_page';

export const deletePage = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'write',
  execution: 'orchestration',
  scope: 'agent',
  quota: 'writes',
  summary: 'Archive a page: no reader or search finds it any more, its file and history stay, a new write revives it.',
  input: DeletePageInput,
  output: DeletePageOutput,
  publishesOutput: true,
  async run(deps: PagesDeps, ctx, input) {
    const pageId = checkedPageId(TOOL, 'page_id', input.page_id);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const leaving = await gatherLeaving(deps, ctx, pageId);
      const refused = leaving ? problemOf(deps, ctx, leaving, input.base_version) : notFound('page_id');
      if (!leaving || refused) return { ok: false, issues: refused ? [refused] : [] };
      const result = await deps.store.commit(archiving(ctx, leaving, input.message));
      if (result.committed) return { ok: true, issues: [], page_id: pageId };
    }
    return { ok: false, issues: [busy('page_id')] };
  },
});

function problemOf(deps: PagesDeps, ctx: Ctx, leaving: Leaving, baseVersion: string | undefined): Issue | null {
  const { page, stored, situation } = leaving;
  const { slug, pageType } = page.facts;
  return (
    leavingDenied(deps, ctx, leaving, [], notFound('page_id')) ??
    backendProblem(situation.catalog, [page]) ??
    layerProblem([page], [page.pageId], 'frontmatter.layer') ??
    (isMetaSkill(page.pageId, slug, pageType) ? META_PROTECTED : null) ??
    (baseVersion === undefined || baseVersion === `v${stored.version}`
      ? null
      : refusal('conflict', 'base_version', 'the page is not at this version'))
  );
}

/** The text says that it is archived, so that a store built from the files alone knows it too (E145, E431). */
function archiving(ctx: Ctx, { stored }: Leaving, message: string | undefined): ChangeSet {
  const put = {
    pageId: stored.pageId,
    base: stored.version,
    content: stampHeader(stored.content, 'archived', true) ?? stored.content,
    author: ctx.principal.subject,
    origin: 'agent',
    message: message ?? null,
    committedAt: ctx.now().toISOString(),
    archive: true,
  } as const;
  return { puts: [put] };
}
