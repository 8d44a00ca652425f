import { Failure } from '../kernel/failure.ts';
import { parseAt } from './parse/at.ts';
import { normalizePageId, pageIdProblem } from './parse/page-id.ts';
import type { Reader } from './access.ts';
import type { IndexedPage, PageIndex, TimeAndScenario } from './ports.ts';

/** The page id in its one form, or `invalid_params` (E138; deviations, "bad ids"). */
export function checkedPageId(tool: string, argument: string, raw: string): string {
  const id = normalizePageId(raw);
  const problem = pageIdProblem(id);
  if (problem) throw new Failure('invalid_params', `${tool}: ${argument}: ${problem}`, { argument });
  return id;
}

/** The overlay and time cut of a read, as UTC; a cut that is no time is `invalid_params`. */
export function timeAndScenario(
  tool: string,
  input: { as_of?: string | undefined; scenario?: string | undefined },
): TimeAndScenario {
  const asOf = input.as_of === undefined || input.as_of === '' ? null : parseAt(input.as_of);
  if (asOf === null && input.as_of) {
    throw new Failure('invalid_params', `${tool}: as_of: not an RFC 3339 time`, { argument: 'as_of' });
  }
  return { asOf, scenario: input.scenario || null };
}

/** Whether a page exists for a read at all: its overlay is asked for, and it was born by then. */
export function inView(page: IndexedPage, view: TimeAndScenario): boolean {
  const overlay = page.scenario === null || page.scenario === view.scenario;
  return overlay && (view.asOf === null || page.at === null || page.at <= view.asOf);
}

/**
 * The first page with that slug which the caller may read, the overlay's and tenant pages first (E220, E228, E229).
 * A page that the caller may not read is as absent as one that does not exist.
 */
export async function resolveSlug(
  index: Pick<PageIndex, 'bySlug'>,
  reader: Pick<Reader, 'mayRead'>,
  link: { readonly skill: string | null; readonly id: string | null },
  view: TimeAndScenario,
): Promise<IndexedPage | undefined> {
  if (link.id === null) return undefined;
  const rows =
    link.skill === 'skill'
      ? await index.bySlug(link.id, null, 'skill', view.scenario)
      : await index.bySlug(link.id, link.skill, link.skill === null ? null : 'instance', view.scenario);
  const candidates = rows.filter(row => inView(row, view));
  const [best] = candidates;
  // An overlay decides for its slug: what it hides is not answered by the page beneath it.
  if (best && best.scenario !== null && !reader.mayRead(best)) return undefined;
  return candidates.find(row => reader.mayRead(row));
}

/** The page that a link means to one who may read everything, in an overlay or beneath all. */
export function resolveTarget(
  index: Pick<PageIndex, 'bySlug'>,
  link: { readonly skill: string | null; readonly id: string | null },
  scenario: string | null,
): Promise<IndexedPage | undefined> {
  return resolveSlug(index, EVERYONE, link, { asOf: null, scenario });
}

const EVERYONE: Pick<Reader, 'mayRead'> = { mayRead: () => true };

export const pageRef = (page: IndexedPage) => ({
  page_id: page.pageId,
  slug: page.slug,
  skill: page.skill,
  page_type: page.pageType,
});
