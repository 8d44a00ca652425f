import {
  effectiveGroups,
  instanceKey,
  ownerKey,
  reasons,
  subjectKey,
  type Reasons,
  type Ruling,
} from '../auth/index.ts';
import type { GroupMembers } from '../auth/ports.ts';
import type { ReadScope, Verb } from '../auth/schema.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Catalog } from './catalog.ts';
import type { PageFacts } from './model.ts';
import type { AccessClass, IndexedPage, PageIndex } from './ports.ts';

/** A caller with everything that decides about pages: made once a call, asked for every page. */
export interface Reader {
  readonly scope: ReadScope;
  /** Admin, or a page of an allowed class, or an owned page of this caller (E397-E404). Skill pages are never gated (E198). */
  mayRead(page: IndexedPage): boolean;
}

/** What decides about a text on its own. */
export interface HeaderFacts {
  readonly facts: Pick<PageFacts, 'pageType' | 'skill' | 'acl' | 'unreadable'>;
  readonly frontmatter: JsonObject;
}

export interface PageAccess {
  reader(principal: Principal): Promise<Reader>;
  /** Groups that count for this caller: token groups, membership rows and `public` (E399). */
  groups(principal: Principal): Promise<ReadonlySet<string>>;
  /** Whether a page with this header would be readable now: for versions that are no rows of the index. */
  mayReadHeader(principal: Principal, page: HeaderFacts): Promise<boolean>;
  /** Keys of the owner values that mean this caller (E400). */
  ownerKeys(principal: Principal): Promise<ReadonlySet<string>>;
}

interface ClassRulings {
  readonly revision: number;
  readonly allowed: ReadonlySet<number>;
  readonly owned: ReadonlyMap<number, string>;
  /** What a caller with these groups sees who owns nothing. */
  readonly reader: Reader;
}

/** What a caller who owns nothing sees, as long as their membership rows and the policy are the same. */
interface KeptReader {
  readonly rows: readonly string[];
  readonly revision: number;
  readonly reader: Reader;
}

const ADMIN_SCOPE: ReadScope = { all: true, allowed: [], owned: [], ownerKeys: [] };
const ADMIN: Reader = { scope: ADMIN_SCOPE, mayRead: () => true };

/** Rulings are kept per set of groups, as long as no skill page or access class changes. */
const KEPT_GROUP_SETS = 1000;

export function pageAccess(deps: {
  index: PageIndex;
  groups: GroupMembers;
  catalog: () => Promise<Catalog>;
}): PageAccess {
  const rulings = new Map<string, ClassRulings>();
  const readers = new WeakMap<Principal, KeptReader>();

  async function groups(principal: Principal): Promise<ReadonlySet<string>> {
    return effectiveGroups(principal.groups, await deps.groups.groupsOf(principal.subject));
  }

  async function ownerKeys(principal: Principal): Promise<ReadonlySet<string>> {
    const keys = new Set([subjectKey(principal.subject)]);
    for (const page of await deps.index.credentialHolders(principal.subject)) {
      if (page.slug === null) continue;
      const [holder] = await deps.index.bySlug(page.slug, page.skill, 'instance', null);
      if (holder?.pageId === page.pageId) keys.add(instanceKey(page.skill, page.slug));
    }
    return keys;
  }

  async function rulingsFor(callerGroups: ReadonlySet<string>): Promise<ClassRulings> {
    const catalog = await deps.catalog();
    const key = JSON.stringify([...callerGroups].sort());
    const kept = rulings.get(key);
    if (kept?.revision === catalog.revision) return kept;
    const made = ruleClasses(catalog, callerGroups);
    if (rulings.size >= KEPT_GROUP_SETS) rulings.clear();
    rulings.set(key, made);
    return made;
  }

  return {
    groups,
    ownerKeys,
    async mayReadHeader(principal, { facts, frontmatter }) {
      if (principal.admin) return true;
      const catalog = await deps.catalog();
      const ruling = rulingOn(catalog, facts, 'read', await groups(principal));
      const field = catalog.byId.get(facts.skill)?.access.ownerField ?? null;
      const owner = ruling === 'owner' && field !== null ? ownerKey(frontmatter[field]) : null;
      return ruling === 'allow' || (owner !== null && (await ownerKeys(principal)).has(owner));
    },
    async reader(principal) {
      if (principal.admin) return ADMIN;
      const rows = await deps.groups.groupsOf(principal.subject);
      const kept = readers.get(principal);
      if (kept?.rows === rows && kept.revision === deps.index.policyRevision()) return kept.reader;
      const ruled = await rulingsFor(effectiveGroups(principal.groups, rows));
      if (ruled.owned.size > 0) return readerOf(ruled, await ownerKeys(principal));
      readers.set(principal, { rows, revision: ruled.revision, reader: ruled.reader });
      return ruled.reader;
    },
  };
}

function readerOf({ allowed, owned }: Omit<ClassRulings, 'reader'>, keys: ReadonlySet<string>): Reader {
  return {
    scope: {
      all: false,
      allowed: [...allowed],
      owned: [...owned].map(([accessClass, ownerField]) => ({ accessClass, ownerField })),
      ownerKeys: [...keys],
    },
    mayRead(page) {
      if (allowed.has(page.accessClass)) return true;
      const field = owned.get(page.accessClass);
      const owner = field === undefined ? null : ownerKey(page.frontmatter[field]);
      return owner !== null && keys.has(owner);
    },
  };
}

function ruleClasses(catalog: Catalog, groups: ReadonlySet<string>): ClassRulings {
  const allowed = new Set<number>();
  const owned = new Map<number, string>();
  for (const row of catalog.classes) {
    const skill = catalog.byId.get(row.skill)?.access;
    const ruling = rulingOn(catalog, row, 'read', groups);
    if (ruling === 'allow') allowed.add(row.id);
    else if (ruling === 'owner' && skill?.ownerField) owned.set(row.id, skill.ownerField);
  }
  const ruled = { revision: catalog.revision, allowed, owned };
  return { ...ruled, reader: readerOf(ruled, new Set()) };
}

/** What the blocks say about a class of pages for one verb, most specific block first (E397, E420). */
export function rulingOn(catalog: Catalog, page: Ruled, verb: Verb, groups: ReadonlySet<string>): Ruling {
  return reasonsOn(catalog, page, verb, groups).ruling;
}

type Ruled = Pick<AccessClass, 'pageType' | 'skill' | 'acl' | 'unreadable'>;

/** `unreadable`: the header cannot be read; `skill_page`: such pages are not gated (E198). */
export type DecidedBy = 'unreadable' | 'skill_page' | 'instance' | 'skill' | 'tenant_default';

export interface PageReasons extends Omit<Reasons, 'block'> {
  readonly by: DecidedBy;
}

/** The same with its reasons. */
export function reasonsOn(catalog: Catalog, page: Ruled, verb: Verb, groups: ReadonlySet<string>): PageReasons {
  if (page.unreadable) return { ruling: 'deny', by: 'unreadable', named: null, group: null };
  if (page.pageType === 'skill') return { ruling: 'allow', by: 'skill_page', named: null, group: null };
  const skill = catalog.byId.get(page.skill)?.access.acl ?? null;
  const { block, ...rest } = reasons(verb, [page.acl, skill], catalog.tenantDefault, groups);
  return { ...rest, by: block === null ? 'tenant_default' : block === 0 ? 'instance' : 'skill' };
}
