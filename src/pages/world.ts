import type { Principal } from '../kernel/principal.ts';
import type { Reader } from './access.ts';
import { isBasePage } from './catalog.ts';
import type { PagesDeps } from './deps.ts';
import type { IndexedPage } from './ports.ts';
import { finding, type Finding } from './finding.ts';
import { otherSpellings } from './similar-ids.ts';
import type { World } from './validate.ts';
import { resolveSlug } from './visible.ts';

type Needs = Pick<PagesDeps, 'access' | 'catalog' | 'content' | 'index'>;

/** The world as one caller sees it: links are judged against pages they may read, in the draft's own overlay. */
export async function worldOf(deps: Needs, principal: Principal, scenario: string | null): Promise<World> {
  const reader = await deps.access.reader(principal);
  const targets = new Map<string, Promise<IndexedPage | undefined>>();
  return {
    catalog: await deps.catalog(),
    target(skill, id) {
      const key = `${skill}::${id}`;
      const known = targets.get(key) ?? resolveSlug(deps.index, reader, { skill, id }, { asOf: null, scenario });
      targets.set(key, known);
      return known;
    },
    blocks: async page => (await deps.content(page)).blocks,
  };
}

/**
 * A warning when another page that the caller may read already answers to the draft's skill and id, or, for a page that is
 * new, to another spelling of the id (L13, L15).
 */
export async function twinFindings(
  deps: Needs,
  principal: Principal,
  pageId: string | null,
  draft: {
    readonly pageType: 'skill' | 'instance';
    readonly skill: string;
    readonly slug: string | null;
    readonly scenario: string | null;
  },
): Promise<Finding[]> {
  if (draft.slug === null) return [];
  const reader = await deps.access.reader(principal);
  const skill = draft.pageType === 'skill' ? null : draft.skill;
  const rows = await deps.index.bySlug(draft.slug, skill, draft.pageType, draft.scenario);
  const twin = rows.find(row => isOther(row, pageId, draft.scenario, reader));
  if (twin) {
    const message = `${twin.pageId} already answers to this skill and id`;
    return [finding('warning', 'duplicate_id', 'frontmatter.id', message, insteadOf(twin))];
  }
  if (rows.some(row => row.pageId === pageId)) return [];
  // One by one: asking for several at once costs more than these few look-ups.
  for (const spelling of otherSpellings(draft.slug)) {
    const alike = await deps.index.bySlug(spelling, skill, draft.pageType, draft.scenario);
    const similar = alike.find(row => isOther(row, pageId, draft.scenario, reader));
    if (!similar) continue;
    const message = `${similar.pageId} has the id ${spelling}, which reads the same`;
    return [finding('warning', 'similar_id', 'frontmatter.id', message, insteadOf(similar))];
  }
  return [];
}

/** A page of a pack is shadowed, not doubled: the tenant's own stands in front of it by design. */
const isOther = (row: IndexedPage, pageId: string | null, scenario: string | null, reader: Reader): boolean =>
  row.pageId !== pageId && !isBasePage(row.pageId) && row.scenario === scenario && reader.mayRead(row);

const insteadOf = ({ pageId }: IndexedPage) => ({ suggestion: `update ${pageId} instead` });
