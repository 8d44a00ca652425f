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

/** A ruling with what brought it about. */
export interface Reasons {
  readonly ruling: Ruling;
  /** Place of the deciding block among those given; null: the tenant default. */
  readonly block: number | null;
  /** The groups it names for the verb; null when the block cannot be read. */
  readonly named: readonly string[] | null;
  /** The named group that decided; null when none of them is the caller's. */
  readonly group: string | null;
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
  return reasons(verb, blocks, tenantDefault, groups).ruling;
}

/** The same decision with its reasons. */
export function reasons(
  verb: Verb,
  blocks: readonly AclBlock[],
  tenantDefault: Acl,
  groups: ReadonlySet<string>,
): Reasons {
  const asked = verb === 'delete' ? 'update' : verb;
  for (const [at, block] of blocks.entries()) {
    if (block === 'closed') return { ruling: 'deny', block: at, named: null, group: null };
    const named = block?.[asked];
    if (named !== undefined) return rule(at, named, groups);
  }
  return rule(null, tenantDefault[asked] ?? [], groups);
}

/** Whether a ruling lets this caller pass. `owns` is asked only when ownership matters. */
export function allows(admin: boolean, ruling: Ruling, owns: () => boolean): boolean {
  return admin || ruling === 'allow' || (ruling === 'owner' && owns());
}

function rule(block: number | null, named: readonly string[], groups: ReadonlySet<string>): Reasons {
  let byOwner = false;
  for (const group of named) {
    if (group === 'owner') byOwner = true;
    // The admin role is no group: a listed `admin` lets nobody in who is not an admin anyway (E403).
    else if (group !== 'admin' && groups.has(group)) return { ruling: 'allow', block, named, group };
  }
  return byOwner ? { ruling: 'owner', block, named, group: 'owner' } : { ruling: 'deny', block, named, group: null };
}
