import { fuseRanks } from './fuse.ts';
import type { LaneFilter, LaneHit, LexicalLane } from './ports.ts';
import { termsOf } from './terms.ts';

export interface RetrieveRequest {
  /** One to eight phrasings of one question. */
  readonly phrasings: readonly string[];
  readonly filter: LaneFilter;
  readonly granularity: 'block' | 'page';
  /** How many hits at the most. */
  readonly k: number;
}

export interface Retrieved {
  readonly hits: readonly LaneHit[];
  /** Lower-case words of all phrasings, for snippets. */
  readonly words: readonly string[];
}

/**
 * Ranked hits for one question. Several phrasings are fused by the rank of pages, each with the block by which the first
 * phrasing that found it did so (E284).
 */
export async function retrieve(lane: LexicalLane, request: RetrieveRequest): Promise<Retrieved> {
  const terms = request.phrasings.map(termsOf);
  const words = [...new Set(terms.flat().flatMap(term => term.words))];
  if (request.k === 0) return { hits: [], words };
  const [only] = terms;
  if (terms.length === 1) return { hits: (await rank(lane, only!, request)).slice(0, request.k), words };
  const rankings = [];
  for (const phrasing of terms) rankings.push(await rank(lane, phrasing, { ...request, granularity: 'page' }));
  const byPage = new Map(
    rankings
      .flat()
      .toReversed()
      .map(hit => [hit.pageId, hit]),
  );
  const fused = fuseRanks(rankings.map(ranking => ranking.map(hit => hit.pageId)));
  return { hits: fused.slice(0, request.k).map(({ key, score }) => ({ ...byPage.get(key)!, score })), words };
}

/** Pages are ranked by their best block, so the lane is asked for more blocks until enough pages are seen. */
async function rank(
  lane: LexicalLane,
  terms: ReturnType<typeof termsOf>,
  { filter, granularity, k }: RetrieveRequest,
): Promise<readonly LaneHit[]> {
  for (let limit = granularity === 'page' ? k * 4 : k; ; limit *= 4) {
    const hits = await lane.search(terms, filter, limit);
    if (granularity === 'block') return hits;
    const pages = new Map<string, LaneHit>();
    for (const hit of hits) if (!pages.has(hit.pageId)) pages.set(hit.pageId, hit);
    if (pages.size >= k || hits.length < limit) return [...pages.values()];
  }
}
