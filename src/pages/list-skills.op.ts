import { decide } from '../auth/index.ts';
import { VERBS } from '../auth/schema.ts';
import { defineOp } from '../kernel/op.ts';
import type { Catalog } from './catalog.ts';
import type { PagesDeps } from './deps.ts';
import { ListSkillsInput, ListSkillsOutput } from './schema.ts';
import type { Skill } from './skill.ts';

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
  async run({ catalog, access }: Pick<PagesDeps, 'catalog' | 'access'>, ctx) {
    const known = await catalog();
    const groups = new Set([...(await access.groups(ctx.principal)), 'owner']);
    const listed = known.pages.filter(skill => known.byId.get(skill.id) === skill);
    const seen = ctx.principal.admin ? listed : listed.filter(skill => inCatalogue(known, skill, groups));
    return { skills: seen.map(skill => row(known, skill, ctx.principal.admin)) };
  },
});

/** The type is hidden where its own read rule shuts the caller out; owner counts as satisfied (E193-E195). */
function inCatalogue(known: Catalog, skill: Skill, groups: ReadonlySet<string>): boolean {
  return decide('read', [skill.access.acl], known.tenantDefault, groups) !== 'deny';
}

function row(known: Catalog, skill: Skill, admin: boolean) {
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
