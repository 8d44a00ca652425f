import { ownerKey } from '../auth/index.ts';
import type { Verb } from '../auth/schema.ts';
import type { Principal } from '../kernel/principal.ts';
import { ownerResolves, reasonsOn, type DecidedBy, type PagesDeps } from '../pages/index.ts';
import type { PageProjection } from '../pages/ports.ts';

/** Why somebody may or may not do something with a page. */
export interface Explanation {
  readonly allowed: boolean;
  readonly depends_on_owner: boolean;
  readonly decided_by: DecidedBy | 'admin';
  readonly group: string | null;
  readonly named: string[] | null;
  readonly groups: string[];
  readonly skill: string;
  readonly owner_field: string | null;
  readonly mode: PagesDeps['writeAcl'];
}

export type ExplainDeps = Pick<PagesDeps, 'access' | 'catalog' | 'index' | 'writeAcl'>;

/** Decides as reads and writes of this page do, by the same function, and keeps the reasons (E397-E426). */
export async function explainAccess(
  deps: ExplainDeps,
  who: Principal,
  verb: Verb,
  { facts, frontmatter }: PageProjection,
): Promise<Explanation> {
  const catalog = await deps.catalog();
  const groups = await deps.access.groups(who);
  // A new page is decided by its skill: its own block counts from then on (E421).
  const page = verb === 'create' ? { ...facts, acl: null } : facts;
  const { ruling, by, named, group } = reasonsOn(catalog, page, verb, groups);
  const field = catalog.byId.get(facts.skill)?.access.ownerField ?? null;
  const shared = {
    groups: [...groups].sort(),
    skill: facts.skill,
    owner_field: facts.pageType === 'skill' ? null : field,
    mode: verb === 'read' ? ('enforce' as const) : deps.writeAcl,
  };
  if (who.admin) {
    return { ...shared, allowed: true, depends_on_owner: false, decided_by: 'admin', group: 'admin', named: null };
  }
  const owner = ruling === 'owner' && field !== null ? await ownership(deps, who, verb, frontmatter[field]) : 'other';
  return {
    ...shared,
    allowed: ruling === 'allow' || owner === 'own',
    depends_on_owner: owner === 'open',
    decided_by: by,
    group: ruling === 'owner' && owner === 'other' ? null : group,
    named: named && [...named],
  };
}

/** `open`: the text that is written decides, for the page is new or has no owner who could be asked (E424). */
async function ownership(
  { access, index }: ExplainDeps,
  who: Principal,
  verb: Verb,
  value: unknown,
): Promise<'own' | 'other' | 'open'> {
  if (verb === 'create') return 'open';
  const key = ownerKey(value);
  const lost = key === null || (key.startsWith('l:') && !(await ownerResolves({ index }, key)));
  if (lost && verb === 'update') return 'open';
  return key !== null && (await access.ownerKeys(who)).has(key) ? 'own' : 'other';
}
