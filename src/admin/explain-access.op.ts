import { z } from 'zod';
import { VERBS } from '../auth/schema.ts';
import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import { normalizePageId, pageIdProblem, type PagesDeps } from '../pages/index.ts';
import type { PageProjection } from '../pages/ports.ts';
import { explainAccess, type ExplainDeps } from './explain-access.ts';

const TOOL = 'explain_access';

export interface ExplainAccessDeps extends ExplainDeps, Pick<PagesDeps, 'store' | 'project'> {}

const names = z.array(z.string());

export const explainAccessOp = defineOp({
  name: TOOL,
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'Whether somebody may read, create, update or delete a page, and which block and which group decide that.',
  input: z.object({
    subject: z.string().min(1).describe('Subject of the caller asked about.'),
    groups: names.default([]).describe('Groups of their token; membership rows and public are added.'),
    admin: z.boolean().default(false).describe('Whether their token has the admin role.'),
    page_id: z.string(),
    verb: z.enum(VERBS),
  }),
  output: z.object({
    allowed: z.boolean(),
    depends_on_owner: z.boolean().describe('Allowed for a text whose owner field names the subject.'),
    decided_by: z.enum(['admin', 'unreadable', 'skill_page', 'instance', 'skill', 'tenant_default']),
    group: z.string().nullable().describe('The group that lets them pass; null when none does.'),
    named: names.nullable().describe('The groups that the deciding block names; null when no block decided.'),
    groups: names.describe('All groups that count for the subject.'),
    skill: z.string(),
    owner_field: z.string().nullable(),
    mode: z.enum(['off', 'log', 'enforce']).describe('Only enforce refuses.'),
  }),
  publishesOutput: false,
  async run(deps: ExplainAccessDeps, ctx, { subject, groups, admin, page_id, verb }) {
    const pageId = normalizePageId(page_id);
    const problem = pageIdProblem(pageId);
    if (problem) throw new Failure('invalid_params', `${TOOL}: page_id: ${problem}`, { argument: 'page_id' });
    const page = await pageFor(deps, pageId, verb === 'create', verb === 'update');
    if (!page) throw new Failure('not_found', `${TOOL}: page_id: there is no such page`, { argument: 'page_id' });
    const who = { tenant: ctx.principal.tenant, subject, groups, admin, metered: true };
    return explainAccess(deps, who, verb, page);
  },
});

/** A page that is new is as its id says; an archived one can be written again, and nothing else. */
async function pageFor(
  { store, project }: ExplainAccessDeps,
  pageId: string,
  orNew: boolean,
  orArchived: boolean,
): Promise<PageProjection | null> {
  const head = await store.head(pageId);
  if (head && (!head.archived || orNew || orArchived)) return project(pageId, head.content);
  if (!orNew) return null;
  const bare = project(pageId, '');
  return { ...bare, facts: { ...bare.facts, unreadable: false } };
}
