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

/** Ranked hits for one question: each phrasing through the lane, several phrasings fused by rank. */
export async function retrieve(lane: LexicalLane, request: RetrieveRequest): Promise<Retrieved> {
  const terms = request.phrasings.map(termsOf);
  const words = [...new Set(terms.flat().flatMap(term => term.words))];
  if (request.k === 0) return { hits: [], words };
  const rankings = [];
  for (const phrasing of terms) rankings.push(await rank(lane, phrasing, request));
  if (rankings.length === 1) return { hits: rankings[0]!.slice(0, request.k), words };
  const keyOf = (hit: LaneHit): string =>
    request.granularity === 'page' ? hit.pageId : JSON.stringify([hit.pageId, hit.anchor]);
  const byKey = new Map(
    rankings
      .flat()
      .toReversed()
      .map(hit => [keyOf(hit), hit]),
  );
  const fused = fuseRanks(rankings.map(ranking => ranking.map(keyOf)));
  return { hits: fused.slice(0, request.k).map(({ key, score }) => ({ ...byKey.get(key)!, score })), words };
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
