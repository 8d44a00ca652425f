import type { Principal } from '../../kernel/principal.ts';
import type { PageLink } from '../model.ts';
import type { IndexedPage, TimeAndScenario } from '../ports.ts';
import { inView } from '../visible.ts';
import { readablePast, type PastDeps } from './past.ts';

/** The text parts of a link that decide which page it means. */
export interface LinkTarget {
  readonly skill: string | null;
  readonly id: string | null;
}

/** What one caller sees of pages, in an overlay and at a moment. */
export interface Viewer {
  readonly view: TimeAndScenario;
  /** The page as it is seen, with the header of that moment; null when it is hidden, not born yet, or was archived then. */
  see(page: IndexedPage): Promise<IndexedPage | null>;
  /** The page under that id, or its twin in the overlay where there is one; a hidden twin hides what it replaces. */
  page(pageId: string): Promise<IndexedPage | null>;
  /** The page that a link means to the caller, the overlay's and tenant pages first (E220, E228, E229). */
  target(link: LinkTarget): Promise<IndexedPage | null>;
  /** The same for one who may read everything: tells a hidden target from a missing one, and is never an answer. */
  exists(link: LinkTarget): Promise<boolean>;
  /** The links that the page had when it was as it is seen; null: those it has now. */
  pastLinks(seen: IndexedPage): Promise<readonly PageLink[] | null>;
}

/**
 * With a time cut a page is its newest version committed by then; without one it is there as it is, if it was born by then
 * (E209, E237, E238). What is born later by its own header is not there either way (S28).
 */
export async function viewer(deps: PastDeps, principal: Principal, view: TimeAndScenario): Promise<Viewer> {
  const { index, store, access, project } = deps;
  const reader = await access.reader(principal);

  async function at(row: IndexedPage, everybody: boolean): Promise<IndexedPage | null> {
    if (!everybody && !reader.mayRead(row)) return null;
    const { asOf } = view;
    if (asOf === null || row.updatedAt <= asOf || row.firstAt > asOf) return inView(row, view) ? row : null;
    const stored = await store.versionAt(row.pageId, asOf);
    if (!stored) return inView(row, view) ? row : null;
    if (stored.archived) return null;
    const past = everybody ? project(row.pageId, stored.content) : await readablePast(deps, principal, stored);
    if (!past) return null;
    const { pageType, slug, skill, title, scenario } = past.facts;
    const seen: IndexedPage = {
      pageId: row.pageId,
      version: stored.version,
      sha256: stored.sha256,
      pageType,
      slug,
      skill,
      title,
      at: past.facts.at,
      scenario,
      frontmatter: past.frontmatter,
      accessClass: row.accessClass,
      lastWrittenBy: null,
      firstAt: row.firstAt,
      updatedAt: stored.committedAt,
    };
    return inView(seen, view) ? seen : null;
  }

  async function find({ skill, id }: LinkTarget, everybody: boolean): Promise<IndexedPage | null> {
    if (id === null) return null;
    const rows =
      skill === 'skill'
        ? await index.bySlug(id, null, 'skill', view.scenario)
        : await index.bySlug(id, skill, skill === null ? null : 'instance', view.scenario);
    for (const row of rows) {
      const seen = await at(row, everybody);
      if (seen) return seen;
      // An overlay decides for its slug: what it hides is not answered by the page beneath it.
      if (row.scenario !== null && !reader.mayRead(row) && (await at(row, true))) return null;
    }
    return null;
  }

  async function page(pageId: string): Promise<IndexedPage | null> {
    const row = await index.page(pageId);
    if (!row || (row.scenario !== null && row.scenario !== view.scenario)) return null;
    if (view.scenario === null || row.scenario !== null || row.slug === null) return at(row, false);
    const twins = await index.bySlug(
      row.slug,
      row.pageType === 'skill' ? null : row.skill,
      row.pageType,
      view.scenario,
    );
    for (const twin of twins) {
      if (twin.scenario === null) break;
      if (await at(twin, true)) return at(twin, false);
    }
    return at(row, false);
  }

  return {
    view,
    see: row => at(row, false),
    page,
    target: link => find(link, false),
    exists: async link => (await find(link, true)) !== null,
    async pastLinks(seen) {
      const row = await index.page(seen.pageId);
      if (row?.version === seen.version) return null;
      const stored = await store.version(seen.pageId, seen.version);
      return stored ? project(seen.pageId, stored.content).links : [];
    },
  };
}
