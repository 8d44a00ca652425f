import { isObject } from '../kernel/json.ts';
import { VERBS, type Acl, type AclBlock, type Verb } from './schema.ts';

type Frontmatter = Readonly<Record<string, unknown>>;

/** What a page's header says about access. On instance pages only `acl` counts. */
export interface PageRules {
  readonly acl: AclBlock;
  /** Frontmatter field of the skill's instances that names their owner; null grants `owner` to nobody (E401). */
  readonly ownerField: string | null;
  /** As reported by list_skills; the acl block, when there is one, decides instead (E166). */
  readonly visibility: 'public' | 'owner';
}

/** The tenant default until the meta-skill declares one: everyone reads, admins write (pages contract, "Group ACL"). */
export const SHIPPED_ACL: Acl = { read: ['public'], create: ['admin'], update: ['admin'], delete: ['admin'] };

const OWNER_ACL: Acl = { read: ['owner'], create: ['owner'], update: ['owner'], delete: ['owner'] };

/** The access rules of a page from its frontmatter, for skill and instance pages alike (E160, E166-E168). Never throws. */
export function aclOf(frontmatter: Frontmatter): PageRules {
  const field = own(frontmatter, 'owner_field');
  const visibility = own(frontmatter, 'visibility') === 'owner' ? 'owner' : 'public';
  return {
    acl: blockOf(frontmatter, visibility),
    ownerField: typeof field === 'string' && field !== '' ? field : null,
    visibility,
  };
}

/** The tenant default that `acl_defaults` declares, in place of the shipped one. Unreadable: nobody but admins (E187). */
export function tenantDefault(declared: unknown): Acl {
  return isObject(declared) ? verbsOf(declared) : {};
}

function blockOf(frontmatter: Frontmatter, visibility: 'public' | 'owner'): AclBlock {
  if (Object.hasOwn(frontmatter, 'acl')) {
    const declared = frontmatter['acl'];
    return isObject(declared) ? verbsOf(declared) : 'closed';
  }
  if (!Object.hasOwn(frontmatter, 'visibility')) return null;
  return visibility === 'owner' ? OWNER_ACL : SHIPPED_ACL;
}

/** Entries of a list that are no group names are dropped, which can only narrow it; a verb without a list is omitted. */
function verbsOf(declared: Frontmatter): Acl {
  const acl: Partial<Record<Verb, readonly string[]>> = {};
  for (const verb of VERBS) {
    const groups = own(declared, verb);
    if (Array.isArray(groups)) acl[verb] = groups.filter(group => typeof group === 'string');
  }
  return acl;
}

function own(frontmatter: Frontmatter, key: string): unknown {
  return Object.hasOwn(frontmatter, key) ? frontmatter[key] : undefined;
}
