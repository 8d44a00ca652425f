import { defineOp } from '../../kernel/op.ts';
import type { PagesDeps } from '../deps.ts';
import { isMetaSkill } from '../meta-skill.ts';
import type { Issue } from '../schema.ts';
import { refusal } from '../update-guards.ts';
import { checkedPageId } from '../visible.ts';
import { ATTEMPTS, busy, META_PROTECTED, notFound } from './leaving.ts';
import { PurgePageInput, PurgePageOutput } from './schema.ts';

const TOOL = 'purge_page';

type Needs = Pick<PagesDeps, 'store' | 'project' | 'log'>;

export const purgePage = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary: 'Remove an archived page for good: its file, its text and its history.',
  input: PurgePageInput,
  output: PurgePageOutput,
  publishesOutput: true,
  async run(deps: Needs, ctx, input) {
    const pageId = checkedPageId(TOOL, 'page_id', input.page_id);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const head = await deps.store.head(pageId);
      if (!head) return refused(isMetaSkill(pageId, null, null) ? META_PROTECTED : notFound('page_id'));
      const { slug, pageType } = deps.project(pageId, head.content).facts;
      if (isMetaSkill(pageId, slug, pageType)) return refused(META_PROTECTED);
      if (!head.archived) return refused(refusal('not_archived', 'page_id', 'delete_page archives a page first'));
      const purge = { pageId, base: head.version, committedAt: ctx.now().toISOString() };
      const result = await deps.store.commit({ puts: [], purges: [purge] });
      if (result.committed) {
        deps.log.warn({ page_id: pageId, subject: ctx.principal.subject }, 'page purged');
        return { ok: true, issues: [], page_id: pageId };
      }
    }
    return refused(busy('page_id'));
  },
});

const refused = (issue: Issue) => ({ ok: false, issues: [issue] });
