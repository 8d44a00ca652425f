import type { Principal } from '../../kernel/principal.ts';
import { isBasePage } from '../catalog.ts';
import type { PageLink } from '../model.ts';
import type { IndexedPage, StoredPage, TimeAndScenario } from '../ports.ts';
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
  /** The same by its id; also of a page that was archived since. */
  was(pageId: string): Promise<IndexedPage | null>;
  /** Reads at once what is about to be asked for page by page. */
  expect(wanted: { readonly pageIds: readonly string[]; readonly slugs: readonly string[] }): Promise<void>;
  /** The page under that id, or its twin in the overlay where there is one; a hidden twin hides what it replaces. */
  page(pageId: string): Promise<IndexedPage | null>;
  /** The page that a link means to the caller, the overlay's and tenant pages first (E220, E228, E229). */
  target(link: LinkTarget): Promise<IndexedPage | null>;
  /** The same for one who may read everything: tells a hidden target from a missing one, and is never an answer. */
  exists(link: LinkTarget): Promise<boolean>;
  /** The links that the page had when it was as it is seen; null: those it has now. */
  pastLinks(seen: IndexedPage): Promise<readonly PageLink[] | null>;
}

/** Whether a version that was there by the time cut shows although its own header names a later moment. */
type Unborn = 'hidden' | 'shown';

const PAGES_AT_ONCE = 50;

/** Of pages that are archived by now no index knows a class; whoever asks decides by their headers. */
const NO_CLASS = -1;

/**
 * With a time cut a page is its newest version committed by then; without one it is there as it is, if it was born by then
 * (E209, E237, E238). What is born later by its own header is not there either way (S28), unless `unborn` says so. Links mean the
 * pages that had their names then, whatever these are called by now.
 */
export async function viewer(
  deps: PastDeps,
  principal: Principal,
  view: TimeAndScenario,
  unborn: Unborn = 'hidden',
): Promise<Viewer> {
  const { index, store, access, project } = deps;
  const { asOf, scenario } = view;
  const reader = await access.reader(principal);
  let rows: ReadonlyMap<string, IndexedPage> = new Map();
  let named: ReadonlyMap<string, readonly IndexedPage[]> = new Map();
  const namedThen = new Map<string, Promise<IndexedPage[]>>();
  const rowOf = async (pageId: string): Promise<IndexedPage | undefined> =>
    rows.get(pageId) ?? (await index.page(pageId));
  const namedNow = async (slug: string): Promise<readonly IndexedPage[]> =>
    named.get(slug) ?? (await index.bySlug(slug, null, null, scenario));

  /** A live page. */
  async function at(row: IndexedPage, everybody: boolean): Promise<IndexedPage | null> {
    if (!everybody && !reader.mayRead(row)) return null;
    if (asOf === null || row.firstAt > asOf) return inView(row, view) ? row : null;
    if (row.updatedAt <= asOf) return isShown(row) ? row : null;
    const stored = await store.versionAt(row.pageId, asOf);
    if (!stored) return inView(row, view) ? row : null;
    return past(stored, row, everybody);
  }

  /** A page that was archived since: for those whom its header lets in now, as for a page that was not. */
  async function gone(pageId: string, everybody: boolean): Promise<IndexedPage | null> {
    const head = asOf === null ? undefined : await store.head(pageId);
    if (!head?.archived) return null;
    if (!everybody && !(await access.mayReadHeader(principal, project(pageId, head.content)))) return null;
    const stored = await store.versionAt(pageId, asOf!);
    return stored ? past(stored, { accessClass: NO_CLASS, firstAt: stored.committedAt }, everybody) : null;
  }

  async function past(
    stored: StoredPage,
    now: Pick<IndexedPage, 'accessClass' | 'firstAt'>,
    everybody: boolean,
  ): Promise<IndexedPage | null> {
    if (stored.archived) return null;
    const found = everybody ? project(stored.pageId, stored.content) : await readablePast(deps, principal, stored);
    if (!found) return null;
    const { pageType, slug, skill, title, at: born, scenario: overlay } = found.facts;
    const seen: IndexedPage = {
      pageId: stored.pageId,
      version: stored.version,
      seq: null,
      sha256: stored.sha256,
      pageType,
      slug,
      skill,
      title,
      at: born,
      scenario: overlay,
      frontmatter: found.frontmatter,
      accessClass: now.accessClass,
      lastWrittenBy: null,
      firstAt: now.firstAt,
      updatedAt: stored.committedAt,
    };
    return isShown(seen) ? seen : null;
  }

  const isShown = (seen: IndexedPage): boolean => inView(seen, unborn === 'shown' ? { asOf: null, scenario } : view);

  async function byId(pageId: string, everybody: boolean): Promise<IndexedPage | null> {
    const row = await rowOf(pageId);
    return row ? at(row, everybody) : gone(pageId, everybody);
  }

  /** Pages that the link means or would mean, best first, as one sees them who may read everything. */
  async function candidates(link: LinkTarget): Promise<IndexedPage[]> {
    if (link.id === null) return [];
    const live = await namedNow(link.id);
    if (asOf === null) return live.filter(row => isMeant(row, link));
    const known = namedThen.get(link.id) ?? wereNamed(link.id, live, asOf);
    namedThen.set(link.id, known);
    return (await known).filter(each => isMeant(each, link));
  }

  async function wereNamed(slug: string, live: readonly IndexedPage[], moment: string): Promise<IndexedPage[]> {
    const ids = new Set([...live.map(({ pageId }) => pageId), ...(await index.once.named(slug, moment))]);
    const found: IndexedPage[] = [];
    for (const [number, pageId] of [...ids].entries()) {
      // Reading what many pages were takes a while, and others are waiting.
      if (number % PAGES_AT_ONCE === PAGES_AT_ONCE - 1) await new Promise(resolve => setTimeout(resolve));
      const then = await byId(pageId, true);
      if (then?.slug === slug) found.push(then);
    }
    return found.toSorted(byRank(moment));
  }

  async function find(link: LinkTarget, everybody: boolean): Promise<IndexedPage | null> {
    for (const each of await candidates(link)) {
      const seen = await seenBy(each, everybody);
      if (seen) return seen;
      // An overlay decides for its slug: what it hides is not answered by the page beneath it.
      if (each.scenario !== null && (await seenBy(each, true))) return null;
    }
    return null;
  }

  /** Candidates of now are rows, those of a moment have been looked at already. */
  const seenBy = (candidate: IndexedPage, everybody: boolean): Promise<IndexedPage | null> =>
    asOf === null ? at(candidate, everybody) : everybody ? Promise.resolve(candidate) : byId(candidate.pageId, false);

  async function pageOrTwin(pageId: string): Promise<IndexedPage | null> {
    const there = asOf === null ? await rowOf(pageId) : await byId(pageId, true);
    if (!there || (there.scenario !== null && there.scenario !== scenario)) return null;
    if (scenario === null || there.scenario !== null || there.slug === null) return seenBy(there, false);
    for (const twin of await candidates({
      skill: there.pageType === 'skill' ? 'skill' : there.skill,
      id: there.slug,
    })) {
      if (twin.scenario === null) break;
      if (await seenBy(twin, true)) return seenBy(twin, false);
    }
    return seenBy(there, false);
  }

  return {
    view,
    see: row => at(row, false),
    was: pageId => byId(pageId, false),
    async expect({ pageIds, slugs }) {
      [rows, named] = [await index.pages(pageIds), await index.bySlugs(slugs, scenario)];
    },
    page: pageOrTwin,
    target: link => find(link, false),
    exists: async link => (await find(link, true)) !== null,
    async pastLinks(seen) {
      const row = await rowOf(seen.pageId);
      if (row?.version === seen.version) return null;
      const stored = await store.version(seen.pageId, seen.version);
      return stored ? project(seen.pageId, stored.content).links : [];
    },
  };
}

const isMeant = (page: IndexedPage, { skill, id }: LinkTarget): boolean => {
  if (page.slug !== id) return false;
  if (skill === null) return true;
  return skill === 'skill' ? page.pageType === 'skill' : page.pageType === 'instance' && page.skill === skill;
};

/** As the index sorts pages of one slug: the overlay's, tenant pages, pages of packs, each by id; before them what was stored by then. */
const byRank =
  (asOf: string) =>
  (a: IndexedPage, b: IndexedPage): number => {
    const rank = (page: IndexedPage): number =>
      (page.scenario === null ? 4 : 0) + (page.updatedAt > asOf ? 2 : 0) + (isBasePage(page.pageId) ? 1 : 0);
    return rank(a) - rank(b) || (a.pageId < b.pageId ? -1 : 1);
  };
