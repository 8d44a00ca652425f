import { Failure } from '../kernel/failure.ts';
import type { Ctx } from '../kernel/op.ts';
import type { PagesDeps } from './deps.ts';
import type { Finding } from './finding.ts';
import { mergedDraft } from './merge/merged-draft.ts';
import { sizeFinding } from './page-size.ts';
import type { ChangeSet } from './ports.ts';
import type { Issue, UpdatePageOutput } from './schema.ts';
import { keepsRules } from './skill-rules.ts';
import { FORBIDDEN, guardedConflict, guardProblem, type Draft, type VersionGuards } from './update-guards.ts';
import { gatherWrite, type WriteSituation } from './update-situation.ts';
import { validatePage } from './validate.ts';
import { twinFindings, worldOf } from './world.ts';
import { mayWrite } from './write-access.ts';

/** A head that moved between plan and commit is planned again; a page this busy answers with a conflict. */
const ATTEMPTS = 50;

type Answer = (typeof UpdatePageOutput)['_zod']['input'];

/** A whole page to be written. `page_id` is checked already. */
export interface PageWrite extends VersionGuards {
  readonly page_id: string;
  readonly content: string;
  readonly require_exact_base?: boolean | undefined;
  readonly message?: string | undefined;
}

/** What is to be stored on the head that was looked at. */
interface Plan {
  readonly draft: Draft;
  readonly merged: boolean;
  readonly issues: readonly Issue[];
}

/**
 * Writes a page through every gate there is (E371). `tool` is named in refused arguments. A stale `base_version` is merged
 * where that is allowed and clean (E375-E380).
 */
export async function writePage(tool: string, deps: PagesDeps, ctx: Ctx, write: PageWrite): Promise<Answer> {
  checkArguments(tool, write);
  const draft = draftOf(deps, write.page_id, write.content);
  if ('issues' in draft) return draft;
  let situation = await gatherWrite(deps, ctx.principal, draft);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = await planOn(deps, ctx, situation, draft, write);
    if ('ok' in plan) return plan;
    const result = await deps.store.commit(changeOf(ctx, situation, plan.draft, write.message));
    if (result.committed) {
      const new_version = `v${result.versions.get(write.page_id)!}`;
      return { ok: true, issues: [...plan.issues], new_version, auto_merged: plan.merged };
    }
    if (result.blocked.length > 0) return { ok: false, issues: [folderIssue(result.blocked)] };
    situation = await gatherWrite(deps, ctx.principal, draft);
  }
  return conflict(situation, 'base_version');
}

/** The text taken apart, or the refusal of one that is too large to be. */
function draftOf(deps: PagesDeps, pageId: string, content: string): Draft | (Answer & { ok: false }) {
  const tooLarge = sizeFinding(content);
  if (tooLarge) return { ok: false, issues: [tooLarge.issue] };
  const { facts, frontmatter } = deps.project(pageId, content);
  return { pageId, content, facts, frontmatter };
}

async function planOn(
  deps: PagesDeps,
  ctx: Ctx,
  situation: WriteSituation,
  draft: Draft,
  write: PageWrite,
): Promise<Plan | Answer> {
  const refused = refuse(deps, ctx, situation, draft);
  if (refused) return refused;
  const broken = guardedConflict(situation.head, write);
  if (!broken) return checked(deps, ctx, draft, false);
  const mergeable = broken === 'base_version' && write.require_exact_base !== true && situation.mayRead;
  const text = mergeable ? await mergedDraft(deps, ctx.principal, situation.head, draft, write.base_version!) : null;
  if (text === null) return conflict(situation, broken);
  const merged = draftOf(deps, draft.pageId, text);
  if ('issues' in merged) return merged;
  const again = { ...(await gatherWrite(deps, ctx.principal, merged)), head: situation.head, held: situation.held };
  return refuse(deps, ctx, again, merged) ?? checked(deps, ctx, merged, true);
}

async function checked(deps: PagesDeps, ctx: Ctx, draft: Draft, merged: boolean): Promise<Plan | Answer> {
  const findings = await check(deps, ctx, draft);
  const issues = findings.map(({ issue }) => issue);
  return findings.some(({ blocking }) => blocking) ? { ok: false, issues } : { draft, merged, issues };
}

function checkArguments(tool: string, input: PageWrite): void {
  if (input.require_exact_base === true && input.base_version === undefined) {
    throw new Failure('invalid_params', `${tool}: require_exact_base needs base_version`, { argument: 'base_version' });
  }
  if (!input.content.isWellFormed() || input.content.includes('\0')) {
    throw new Failure('invalid_params', `${tool}: content: not plain Unicode text`, { argument: 'content' });
  }
}

function refuse(deps: PagesDeps, ctx: Ctx, situation: WriteSituation, draft: Draft): Answer | null {
  const problem = gatesProblem(deps, ctx, situation, draft);
  return problem && { ok: false, issues: [problem] };
}

/** Why a draft is refused whatever its base, in the order of E371; null when it is not. */
export function gatesProblem(deps: PagesDeps, ctx: Ctx, situation: WriteSituation, draft: Draft): Issue | null {
  const { catalog, head, held, writer, twins } = situation;
  const problem = guardProblem(catalog, ctx.principal.admin, head, draft);
  if (problem) return problem;
  const allowed = writer.admin || (keepsRules(situation, draft) && mayWrite(catalog, writer, held, draft, twins));
  if (deps.writeAcl !== 'off' && !allowed) {
    if (deps.writeAcl === 'enforce') return FORBIDDEN;
    deps.log.warn({ page_id: draft.pageId, subject: ctx.principal.subject }, 'write would be forbidden');
  }
  return null;
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
