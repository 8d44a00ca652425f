import type { Ctx } from '../../kernel/op.ts';
import type { PagesDeps } from '../deps.ts';
import type { StoredPage } from '../ports.ts';
import type { Issue } from '../schema.ts';
import { rulesAccess } from '../skill-rules.ts';
import { FORBIDDEN, refusal, type Draft } from '../update-guards.ts';
import { gatherWrite, type WriteSituation } from '../update-situation.ts';
import { mayWrite, type WritablePage } from '../write-access.ts';

/** A head that moved between plan and commit is planned again, this often. */
export const ATTEMPTS = 50;

/** A live page that a call wants to take from its place. */
export interface Leaving {
  readonly stored: StoredPage;
  readonly page: Draft;
  readonly situation: WriteSituation;
}

/** The live page of that id with all that decides about it; null when there is none. */
export async function gatherLeaving(deps: PagesDeps, ctx: Ctx, pageId: string): Promise<Leaving | null> {
  const stored = await deps.store.head(pageId);
  if (!stored || stored.archived) return null;
  const { facts, frontmatter } = deps.project(pageId, stored.content);
  const page: Draft = { pageId, content: stored.content, facts, frontmatter };
  return { stored, page, situation: await gatherWrite(deps, ctx.principal, page) };
}

/**
 * Why the caller may not take the page away, null when they may: an update right is needed (E426), also on `others`, whose
 * place the page would take, and a skill page that rules over access is the admins' (E419). To callers who may not even read it the page does not exist: `hidden` is their answer.
 */
export function leavingDenied(
  deps: PagesDeps,
  ctx: Ctx,
  { page, situation }: Leaving,
  others: readonly WritablePage[],
  hidden: Issue,
): Issue | null {
  const { catalog, writer, mayRead } = situation;
  const ruling = [page, ...others].some(rulesAccess);
  if (writer.admin || (!ruling && mayWrite(catalog, writer, page, page, others))) return null;
  if (!mayRead) return hidden;
  if (deps.writeAcl === 'enforce') return FORBIDDEN;
  if (deps.writeAcl === 'log') {
    deps.log.warn({ page_id: page.pageId, subject: ctx.principal.subject }, 'write would be forbidden');
  }
  return null;
}

export const notFound = (location: string): Issue => refusal('not_found', location, 'there is no such page');

export const busy = (location: string): Issue => refusal('conflict', location, 'the page keeps changing');

export const META_PROTECTED = refusal('meta_skill_protected', 'frontmatter', 'the meta-skill stays where it is');
