import { abstention, covers, type Abstention } from './abstain.ts';
import { fuseRanks, fuseScores, type Evidence, type FusedHit } from './fuse.ts';
import { vectorResults, wordResults, type VectorResults, type Wanted, type WordResults } from './lane-results.ts';
import type { Correction, LaneFilter, LaneHit, Language, LexicalLane, SynonymsSaid } from './ports.ts';
import type { RerankState } from './rerank/ports.ts';
import type { RerankStage } from './rerank/stage.ts';
import type { SynonymsOfText } from './synonyms/index.ts';
import type { VectorLane, VectorSpace } from './vectors/ports.ts';
import { vectorWeight } from './weights.ts';

/** Candidates of each lane before they are fused, at the least (E283). */
const POOL = 100;

/** What a search asks, and how the answers are put together. */
export interface SearchLanes {
  readonly lexical: LexicalLane;
  readonly vectors?: VectorLane | undefined;
  readonly rerank?: RerankStage | undefined;
  /** What else a question may say with other words. */
  readonly synonyms: SynonymsOfText;
  /** `score` is calibrated; `rrf` goes by ranks alone. */
  readonly fusion: 'score' | 'rrf';
  /** Hits of the vector lane below this cosine are dropped (N054); null: none is. */
  readonly minSimilarity: number | null;
}

export interface RetrieveRequest {
  /** One to eight phrasings of one question. */
  readonly phrasings: readonly string[];
  readonly filter: LaneFilter;
  readonly granularity: 'block' | 'page';
  /** How many hits at the most. */
  readonly k: number;
  /** Hits that cover less of the question are left out unless the vector lane vouches for them; 0: none is (7.6a). */
  readonly minCoverage?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface RankedHit extends FusedHit {
  /** Score of the reranker, null when it did not see the hit. */
  readonly reranked: number | null;
}

export interface Retrieved {
  readonly hits: readonly RankedHit[];
  /** Words of all phrasings that a snippet should show. */
  readonly words: readonly string[];
  readonly language: Language | null;
  readonly corrections: readonly Correction[];
  readonly synonyms: readonly SynonymsSaid[];
  /** The vector lane that took part, with its weight. */
  readonly vector: { readonly space: VectorSpace; readonly weight: number } | null;
  readonly rerank: RerankState;
  /** Why there are no hits; null when there are, or when none was wanted. */
  readonly abstained: Abstention | null;
}

interface Ranking {
  readonly hits: readonly FusedHit[];
  readonly words: WordResults;
  readonly vector: Retrieved['vector'];
}

const OFF: RerankState = { state: 'off', duration_ms: null, reason: 'disabled in config' };

/**
 * Ranked hits for one question. Several phrasings are fused by the rank of pages, each with the block by which the first
 * phrasing that found it did so (E284). A lane or stage that cannot answer is left out and said so; words always answer.
 */
export async function retrieve(lanes: SearchLanes, request: RetrieveRequest): Promise<Retrieved> {
  const { phrasings, k, minCoverage = 0 } = request;
  const several = phrasings.length > 1;
  const granularity = several ? 'page' : request.granularity;
  const candidates = k === 0 ? 0 : Math.max(k, lanes.rerank?.candidates ?? 0);
  const rankings = await Promise.all(
    phrasings.map(text => rank(lanes, text, { ...request, granularity, depth: candidates, synonyms: lanes.synonyms })),
  );
  const fused = several ? fusePhrasings(rankings.map(({ hits }) => hits)) : rankings[0]!.hits;
  const kept = fused.filter(({ evidence }) => covers(evidence, minCoverage));
  const { hits, state } = await reranked(lanes, request, kept);
  const shown = hits.slice(0, k);
  const first = rankings[0]!;
  return {
    hits: shown,
    words: [...new Set(rankings.flatMap(({ words }) => words.words))],
    language: first.words.language,
    corrections: rankings.flatMap(({ words }) => words.corrections),
    synonyms: rankings.flatMap(({ words }) => words.synonyms),
    vector: rankings.find(({ vector }) => vector)?.vector ?? null,
    rerank: state,
    abstained: k === 0 || shown.length > 0 ? null : abstention(evidenceOf(fused), minCoverage),
  };
}

const evidenceOf = (hits: readonly FusedHit[]): Evidence[] => hits.map(({ evidence }) => evidence);

async function rank(lanes: SearchLanes, text: string, wanted: Wanted): Promise<Ranking> {
  if (wanted.depth === 0) {
    const words = await wordResults(lanes.lexical, text, wanted);
    return { hits: [], words, vector: null };
  }
  const { vectors } = lanes;
  const pooled = vectors?.state().serving?.semantic ? { ...wanted, depth: Math.max(POOL, wanted.depth) } : wanted;
  const [words, near] = await Promise.all([
    wordResults(lanes.lexical, text, pooled),
    vectors ? vectorResults(vectors, text, lanes.minSimilarity, pooled) : null,
  ]);
  if (!near) return { hits: wordsAlone(words), words, vector: null };
  const weight = vectorWeight(near.space, words.language, text);
  return { hits: fuseLanes(lanes.fusion, words, near, weight, wanted), words, vector: { space: near.space, weight } };
}

/** The lane's own order and scores. */
function wordsAlone({ hits }: WordResults): FusedHit[] {
  const top = hits[0]?.score ?? 1;
  return hits.map(({ pageId, anchor, content, score, coverage, matched }, at) => {
    const share = top > 0 ? Math.max(0, score / top) : 1;
    const lexical = { rank: at + 1, share, coverage, matched };
    return { pageId, anchor, content, score, evidence: { lexical, vector: null } };
  });
}

function fuseLanes(
  fusion: SearchLanes['fusion'],
  { hits: lexical }: WordResults,
  { hits: vector, background, beyond, complete }: VectorResults,
  weight: number,
  { granularity }: Wanted,
): FusedHit[] {
  const keyOf = (hit: LaneHit): string => (granularity === 'page' ? hit.pageId : `${hit.pageId}\n${hit.anchor}`);
  const scored = fuseScores({ lexical, vector, background, weight, beyond, complete, keyOf });
  if (fusion === 'score') return scored;
  const byKey = new Map(scored.map(hit => [keyOf(hit), hit]));
  const ranks = fuseRanks([lexical.map(keyOf), vector.map(keyOf)]);
  return ranks.map(({ key, score }) => ({ ...byKey.get(key)!, score }));
}

function fusePhrasings(rankings: readonly (readonly FusedHit[])[]): FusedHit[] {
  const byPage = new Map(
    rankings
      .flat()
      .toReversed()
      .map(hit => [hit.pageId, hit]),
  );
  const ranks = fuseRanks(rankings.map(hits => hits.map(({ pageId }) => pageId)));
  return ranks.map(({ key, score }) => ({ ...byPage.get(key)!, score }));
}

/** Orders the best hits anew by their whole passages (E298); those the stage did not see follow as they were. */
async function reranked(
  { rerank }: SearchLanes,
  { phrasings, signal }: RetrieveRequest,
  hits: readonly FusedHit[],
): Promise<{ hits: RankedHit[]; state: RerankState }> {
  const unseen = (rest: readonly FusedHit[]): RankedHit[] => rest.map(hit => ({ ...hit, reranked: null }));
  if (!rerank || hits.length === 0) return { hits: unseen(hits), state: OFF };
  const seen = hits.slice(0, rerank.candidates);
  const passages = seen.map(({ content }) => content);
  const { scores, state } = await rerank.run(phrasings[0]!, passages, signal);
  if (!scores) return { hits: unseen(hits), state };
  const ordered = seen
    .map((hit, at) => ({ ...hit, score: scores[at]! + 1, reranked: scores[at]! }))
    .sort((a, b) => b.reranked - a.reranked);
  return { hits: [...ordered, ...unseen(hits.slice(rerank.candidates).map(below))], state };
}

/** Keeps scores falling past those of the stage, which lie from 1 to 2. */
const below = (hit: FusedHit): FusedHit => ({ ...hit, score: hit.score / (1 + Math.abs(hit.score)) });
