import { RESERVED_GROUPS, type Acl, type AclBlock, type Verb } from './schema.ts';

/** What the blocks say about one verb: everyone asked for passes, only the page's owner does, or nobody but admins. */
export type Ruling = 'allow' | 'owner' | 'deny';

const RESERVED: ReadonlySet<string> = new Set(RESERVED_GROUPS);

/** `public`, the credential's groups and the membership rows, without reserved names (E399, E051). */
export function effectiveGroups(
  principalGroups: readonly string[],
  memberRows: readonly string[],
): ReadonlySet<string> {
  const groups = new Set(['public']);
  for (const group of principalGroups) if (!RESERVED.has(group)) groups.add(group);
  for (const group of memberRows) if (!RESERVED.has(group)) groups.add(group);
  return groups;
}

/**
 * The one decision about pages. `blocks` come most specific first (instance, then skill); the first that names the verb
 * decides alone, then the tenant default, then deny (E397, E398). `delete` asks for `update` (E426).
 * Admins are not decided here: see `allows`.
 */
export function decide(
  verb: Verb,
  blocks: readonly AclBlock[],
  tenantDefault: Acl,
  groups: ReadonlySet<string>,
): Ruling {
  const asked = verb === 'delete' ? 'update' : verb;
  for (const block of blocks) {
    if (block === 'closed') return 'deny';
    const named = block?.[asked];
    if (named !== undefined) return rule(named, groups);
  }
  return rule(tenantDefault[asked] ?? [], groups);
}

/** Whether a ruling lets this caller pass. `owns` is asked only when ownership matters. */
export function allows(admin: boolean, ruling: Ruling, owns: () => boolean): boolean {
  return admin || ruling === 'allow' || (ruling === 'owner' && owns());
}

function rule(named: readonly string[], groups: ReadonlySet<string>): Ruling {
  let byOwner = false;
  for (const group of named) {
    if (group === 'owner') byOwner = true;
    // The admin role is no group: a listed `admin` lets nobody in who is not an admin anyway (E403).
    else if (group !== 'admin' && groups.has(group)) return 'allow';
  }
  return byOwner ? 'owner' : 'deny';
}
