import { SHIPPED_ACL, tenantDefault } from '../auth/index.ts';
import type { Acl } from '../auth/schema.ts';
import type { AccessClass, IndexedPage, PageIndex } from './ports.ts';
import { skillOf, type Skill } from './skill.ts';

export const META_SKILL = 'escurel';

/** The skills of the tenant and what its access rules say, at one revision of both. */
export interface Catalog {
  readonly revision: number;
  /** Every readable base-scenario skill page, by page id. */
  readonly pages: readonly Skill[];
  /** One per skill id; a tenant page shadows a pack's (E196). */
  readonly byId: ReadonlyMap<string, Skill>;
  /** Pack page beneath a shadowing tenant page, by skill id. */
  readonly shadowed: ReadonlyMap<string, Skill>;
  readonly tenantDefault: Acl;
  readonly classes: readonly AccessClass[];
}

export const isBasePage = (pageId: string): boolean => pageId.startsWith('markdown/base/');

/** Hands out the catalogue and rebuilds it only after a skill page or an access class was committed. */
export function catalogSource(index: PageIndex): () => Promise<Catalog> {
  let current: Catalog | undefined;
  return async () => {
    const revision = index.policyRevision();
    if (current?.revision === revision) return current;
    const [pages, classes] = [await index.skillPages(), await index.accessClasses()];
    const built = buildCatalog(revision, pages, classes);
    if (index.policyRevision() === revision) current = built;
    return built;
  };
}

/** Skills of these rows, the overlay's first, tenant pages before a pack's. `unreadable`: classes of pages without a header. */
export function skillsIn(
  rows: readonly IndexedPage[],
  unreadable: ReadonlySet<number>,
): Pick<Catalog, 'pages' | 'byId' | 'shadowed'> {
  const pages = rows.map(row => skillOf(row, unreadable.has(row.accessClass)));
  const byId = new Map<string, Skill>();
  const shadowed = new Map<string, Skill>();
  for (const skill of pages.toSorted((a, b) => rank(a) - rank(b))) {
    const winner = byId.get(skill.id);
    if (!winner) byId.set(skill.id, skill);
    else if (isBasePage(skill.page.pageId) && !isBasePage(winner.page.pageId)) shadowed.set(skill.id, skill);
  }
  return { pages, byId, shadowed };
}

function buildCatalog(revision: number, rows: readonly IndexedPage[], classes: readonly AccessClass[]): Catalog {
  const unreadable = new Set(classes.filter(row => row.unreadable).map(row => row.id));
  const skills = skillsIn(
    rows.filter(row => row.scenario === null),
    unreadable,
  );
  const declared = skills.byId.get(META_SKILL)?.page.frontmatter.acl_defaults;
  return {
    revision,
    ...skills,
    classes,
    tenantDefault: declared === undefined ? SHIPPED_ACL : tenantDefault(declared),
  };
}

const rank = ({ page }: Skill): number => (page.scenario !== null ? 0 : isBasePage(page.pageId) ? 2 : 1);
