import { decide } from '../auth/index.ts';
import { VERBS } from '../auth/schema.ts';
import { defineOp, type Ctx } from '../kernel/op.ts';
import { skillsIn, type Catalog } from './catalog.ts';
import type { PagesDeps } from './deps.ts';
import { viewer } from './history/viewer.ts';
import type { TimeAndScenario } from './ports.ts';
import { ListSkillsInput, ListSkillsOutput } from './schema.ts';
import type { Skill } from './skill.ts';
import { timeAndScenario } from './visible.ts';

/** What may be done with the instances of a backend kind (E180). */
const CAPABILITIES: Readonly<Record<string, ReturnType<typeof capability>>> = {
  markdown: capability(true, 'block', 'hybrid', true),
  workflow: capability(true, 'block', 'hybrid', true),
  sql_view: capability(false, 'page', 'late_materialized', false),
  document: capability(false, 'block', 'hybrid', true),
  openapi: capability(false, 'page', 'none', false),
  mcp: capability(false, 'page', 'none', false),
};

function capability(writable: boolean, granularity: 'block' | 'page', search: string, supports_crdt: boolean) {
  return { writable, granularity, search, supports_crdt };
}

export const listSkills = defineOp({
  name: 'list_skills',
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'List the kinds of pages there are: what each is for, which header keys its instances carry, who may act.',
  input: ListSkillsInput,
  output: ListSkillsOutput,
  publishesOutput: true,
  async run(deps: ListDeps, ctx, input) {
    const view = timeAndScenario('list_skills', input);
    const now = await deps.catalog();
    const shown = view.asOf === null && view.scenario === null ? now : await skillsThen(deps, ctx, view);
    const groups = new Set([...(await deps.access.groups(ctx.principal)), 'owner']);
    const listed = shown.pages.filter(skill => shown.byId.get(skill.id) === skill);
    const { admin } = ctx.principal;
    // Access is ruled by the skills as they are now, and what was hidden then stays hidden.
    const seen = listed.filter(
      skill => admin || (inCatalogue(now, now.byId.get(skill.id) ?? skill, groups) && inCatalogue(now, skill, groups)),
    );
    return { skills: seen.map(skill => row(shown, skill, admin)) };
  },
});

type ListDeps = Pick<PagesDeps, 'catalog' | 'store' | 'index' | 'access' | 'project'>;

/** The skill pages of an overlay, or of a moment. */
async function skillsThen(deps: ListDeps, ctx: Ctx, view: TimeAndScenario) {
  const seeing = await viewer(deps, ctx.principal, view);
  const rows = await deps.index.skillPages();
  const known = new Set(rows.map(({ pageId }) => pageId));
  const once = view.asOf === null ? [] : await deps.index.once.skills(view.asOf);
  const others = once.filter(pageId => !known.has(pageId)).map(pageId => seeing.was(pageId));
  const found = await Promise.all([...rows.map(page => seeing.see(page)), ...others]);
  const seen = others.length === 0 ? found : found.toSorted((a, b) => ((a?.pageId ?? '') < (b?.pageId ?? '') ? -1 : 1));
  const closed = new Set((await deps.index.accessClasses()).flatMap(({ id, unreadable }) => (unreadable ? [id] : [])));
  return skillsIn(
    seen.flatMap(page => (page?.pageType === 'skill' ? [page] : [])),
    closed,
  );
}

/** The type is hidden where its own read rule shuts the caller out; owner counts as satisfied (E193-E195). */
function inCatalogue(known: Catalog, skill: Skill, groups: ReadonlySet<string>): boolean {
  return decide('read', [skill.access.acl], known.tenantDefault, groups) !== 'deny';
}

function row(known: Pick<Catalog, 'shadowed'>, skill: Skill, admin: boolean) {
  const shadowed = known.shadowed.get(skill.id);
  const acl = skill.access.acl;
  return {
    id: skill.id,
    description: skill.description,
    required_frontmatter: [...skill.required],
    optional_frontmatter: [...skill.optional],
    is_event_typed: skill.required.includes('at'),
    visibility: skill.access.visibility,
    owner_field: skill.access.ownerField,
    backend: { kind: skill.backend },
    capabilities: CAPABILITIES[skill.backend]!,
    layer: skill.layer,
    ...(admin && acl !== null && acl !== 'closed' ? { acl: declaredVerbs(acl) } : {}),
    ...(shadowed ? { shadows: shadowed.layer } : {}),
    ...(skill.autonomy ? { autonomy: skill.autonomy } : {}),
    ...(skill.params.length > 0 ? { params: skill.params.map(param => ({ ...param })) } : {}),
  };
}

function declaredVerbs(acl: { readonly [verb: string]: readonly string[] | undefined }): Record<string, string[]> {
  return Object.fromEntries(VERBS.flatMap(verb => (acl[verb] ? [[verb, [...acl[verb]]]] : [])));
}
