import { Failure } from '../kernel/failure.ts';
import { defineOp, type Ctx } from '../kernel/op.ts';
import type { PagesDeps } from './deps.ts';
import { sizeFinding } from './page-size.ts';
import type { ChangeSet } from './ports.ts';
import { UpdatePageInput, UpdatePageOutput, type Issue } from './schema.ts';
import { FORBIDDEN, guardedConflict, guardProblem, type Draft, type VersionGuards } from './update-guards.ts';
import { keepsRules } from './skill-rules.ts';
import { gatherWrite, type WriteSituation } from './update-situation.ts';
import type { Finding } from './finding.ts';
import { validatePage } from './validate.ts';
import { checkedPageId } from './visible.ts';
import { twinFindings, worldOf } from './world.ts';
import { mayWrite } from './write-access.ts';

const TOOL = 'update_page';
/** A head that moved between plan and commit is planned again; a page this busy answers with a conflict. */
const ATTEMPTS = 50;

type Answer = (typeof UpdatePageOutput)['_zod']['input'];

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
    const pageId = checkedPageId(TOOL, 'page_id', input.page_id);
    checkArguments(input);
    const tooLarge = sizeFinding(input.content);
    if (tooLarge) return { ok: false, issues: [tooLarge.issue] };
    const { facts, frontmatter } = deps.project(pageId, input.content);
    const draft: Draft = { pageId, content: input.content, facts, frontmatter };
    let situation = await gatherWrite(deps, ctx.principal, draft);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const refused = refuse(deps, ctx, situation, draft, input);
      if (refused) return refused;
      const findings = await check(deps, ctx, draft);
      const issues = findings.map(({ issue }) => issue);
      if (findings.some(({ blocking }) => blocking)) return { ok: false, issues };
      const result = await deps.store.commit(changeOf(ctx, situation, draft, input.message));
      if (result.committed) {
        return { ok: true, issues, new_version: `v${result.versions.get(pageId)!}`, auto_merged: false };
      }
      if (result.blocked.length > 0) return { ok: false, issues: [folderIssue(result.blocked)] };
      situation = await gatherWrite(deps, ctx.principal, draft);
    }
    return conflict(situation, 'base_version');
  },
});

function checkArguments(input: { content: string; require_exact_base?: boolean | undefined } & VersionGuards): void {
  if (input.require_exact_base === true && input.base_version === undefined) {
    throw new Failure('invalid_params', `${TOOL}: require_exact_base needs base_version`, { argument: 'base_version' });
  }
  if (!input.content.isWellFormed() || input.content.includes('\0')) {
    throw new Failure('invalid_params', `${TOOL}: content: not plain Unicode text`, { argument: 'content' });
  }
}

function refuse(
  deps: PagesDeps,
  ctx: Ctx,
  situation: WriteSituation,
  draft: Draft,
  guards: VersionGuards,
): Answer | null {
  const { catalog, head, held, writer, twins } = situation;
  const problem = guardProblem(catalog, ctx.principal.admin, head, draft);
  if (problem) return { ok: false, issues: [problem] };
  const allowed = writer.admin || (keepsRules(situation, draft) && mayWrite(catalog, writer, held, draft, twins));
  if (deps.writeAcl !== 'off' && !allowed) {
    if (deps.writeAcl === 'enforce') return { ok: false, issues: [FORBIDDEN] };
    deps.log.warn({ page_id: draft.pageId, subject: ctx.principal.subject }, 'write would be forbidden');
  }
  const broken = guardedConflict(head, guards);
  return broken ? conflict(situation, broken) : null;
}

async function check(deps: PagesDeps, ctx: Ctx, draft: Draft): Promise<Finding[]> {
  const findings = await validatePage(
    deps.parse(draft.content),
    await worldOf(deps, ctx.principal, draft.facts.scenario),
  );
  const enforced = deps.autonomyLint === 'enforce';
  const autonomy = findings.filter(({ issue }) => issue.code === 'frontmatter_autonomy_unknown');
  if (autonomy.length > 0 && deps.autonomyLint === 'log') {
    deps.log.warn({ page_id: draft.pageId }, 'unknown autonomy written');
  }
  const judged = findings.map(found => (enforced && autonomy.includes(found) ? { ...found, blocking: true } : found));
  return draft.facts.unreadable
    ? judged
    : [...judged, ...(await twinFindings(deps, ctx.principal, draft.pageId, draft.facts))];
}

function changeOf(ctx: Ctx, { head }: WriteSituation, draft: Draft, message: string | undefined): ChangeSet {
  const put = {
    pageId: draft.pageId,
    base: head.stored?.version ?? 0,
    content: draft.content,
    author: ctx.principal.subject,
    origin: 'agent' as const,
    message: message ?? null,
    committedAt: ctx.now().toISOString(),
  };
  return { puts: [put] };
}

const folderIssue = (blocked: readonly string[]): Issue => ({
  severity: 'error',
  code: 'page_id_conflict',
  location: 'page_id',
  message: `${blocked.join(', ')}: one page id would be the folder of another`,
});

/** What the caller needs to draft again; a caller who may not read the page learns nothing of it. */
function conflict({ head, mayRead }: WriteSituation, location: keyof VersionGuards): Answer {
  const live = head.page !== null && mayRead ? head.stored : undefined;
  const message =
    location === 'if_absent' ? 'the page exists' : 'the page is not at the version this draft was made from';
  return {
    ok: false,
    issues: [{ severity: 'error', code: 'conflict', location, message, suggestion: 'draft again from head_content' }],
    head_version: `v${live?.version ?? 0}`,
    head_sha256: live?.sha256 ?? '',
    head_content: live?.content ?? null,
  };
}
