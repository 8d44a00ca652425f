import { defineOp, type Ctx } from '../../kernel/op.ts';
import type { PagesDeps } from '../deps.ts';
import { isMetaSkill } from '../meta-skill.ts';
import type { ChangeSet } from '../ports.ts';
import type { Issue } from '../schema.ts';
import { backendProblem, FORBIDDEN, layerProblem, refusal, type Draft } from '../update-guards.ts';
import { gatherWrite, type WriteSituation } from '../update-situation.ts';
import { checkedPageId } from '../visible.ts';
import { mayWrite } from '../write-access.ts';
import { ATTEMPTS, busy, gatherLeaving, leavingDenied, META_PROTECTED, notFound, type Leaving } from './leaving.ts';
import { planRename, type RenamePlan } from './rename.ts';
import { MovePageInput, MovePageOutput } from './schema.ts';

const TOOL = 'move_page';

export const movePage = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'write',
  execution: 'orchestration',
  scope: 'agent',
  quota: 'writes',
  summary:
    'Give a page another page id. Its text, history and links stay, for links name skill and id; rewrite_links renames it there too.',
  input: MovePageInput,
  argumentAliases: { from_page_id: 'from', from_page: 'from', to_page_id: 'to', to_page: 'to' },
  output: MovePageOutput,
  publishesOutput: true,
  async run(deps: PagesDeps, ctx, input) {
    const from = checkedPageId(TOOL, 'from', input.from);
    const to = checkedPageId(TOOL, 'to', input.to);
    let renamed: RenamePlan | null = null;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const leaving = from === to ? null : await gatherLeaving(deps, ctx, from);
      if (!leaving) return refused(notFound('from'));
      const arrival = { ...leaving.page, pageId: to };
      const target = await gatherWrite(deps, ctx.principal, arrival);
      const problem = problemOf(deps, ctx, leaving, target, arrival);
      if (problem) return refused(problem);
      if (input.rewrite_links === true && renamed === null) {
        const plan = await planRename(deps, ctx, leaving, to, reasonOf(`renamed for ${to}`, input.message));
        if ('code' in plan) return refused(plan);
        // Before the move: whatever happens between the two, every link leads to the page.
        if (plan.puts.length > 0 && !(await deps.store.commit({ puts: plan.puts })).committed) continue;
        renamed = plan;
        if (plan.puts.length > 0) continue;
      }
      const result = await deps.store.commit(moving(ctx, leaving, target, to, input.message));
      if (result.committed) {
        return {
          ok: true,
          issues: [],
          from,
          to,
          ...(renamed && { rewritten: [...renamed.rewritten], not_rewritten: [...renamed.kept] }),
        };
      }
      if (result.blocked.length > 0) {
        return refused(refusal('page_id_conflict', 'to', `${to}: one page id would be the folder of another`));
      }
    }
    return refused(busy('from'));
  },
});

const refused = (issue: Issue) => ({ ok: false, issues: [issue] });

function problemOf(deps: PagesDeps, ctx: Ctx, leaving: Leaving, target: WriteSituation, arrival: Draft): Issue | null {
  const { page } = leaving;
  const { slug, pageType } = page.facts;
  const { catalog, head, held, writer, twins } = target;
  // The page is a twin of its own arrival.
  const others = leaving.situation.twins;
  const denied = leavingDenied(deps, ctx, leaving, others, notFound('from'));
  if (denied) return denied;
  if (isMetaSkill(page.pageId, slug, pageType) || isMetaSkill(arrival.pageId, null, null)) return META_PROTECTED;
  const fixed = backendProblem(catalog, [page]) ?? layerProblem([page], [page.pageId, arrival.pageId], 'frontmatter');
  if (fixed) return fixed;
  if (head.page) return refusal('conflict', 'to', 'a live page is there');
  const enforced = deps.writeAcl === 'enforce';
  return enforced && held && !mayWrite(catalog, writer, held, arrival, twins) ? FORBIDDEN : null;
}

function moving(
  ctx: Ctx,
  { stored }: Leaving,
  target: WriteSituation,
  to: string,
  message: string | undefined,
): ChangeSet {
  const reason = `moved from ${stored.pageId} by ${ctx.principal.subject}`;
  const move = {
    from: stored.pageId,
    base: stored.version,
    to,
    over: target.head.stored?.version ?? 0,
    message: reasonOf(reason, message),
    committedAt: ctx.now().toISOString(),
  };
  return { puts: [], moves: [move] };
}

const reasonOf = (what: string, why: string | undefined): string => (why === undefined ? what : `${what}: ${why}`);
