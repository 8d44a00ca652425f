import type { LaneHit, LexicalHit } from './ports.ts';
import type { Background } from './vectors/ports.ts';

/** Rank constant of reciprocal rank fusion (E281). */
const RRF_K = 60;

/** Fuses several rankings of the same kind by reciprocal rank; ties by key. Best first. */
export function fuseRanks(rankings: readonly (readonly string[])[]): { key: string; score: number }[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, key] of ranking.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (RRF_K + index + 1));
  }
  return best([...scores].map(([key, score]) => ({ key, score })));
}

/** What the lanes say about one block or page; `rank` counts from 1. */
export interface Evidence {
  readonly lexical: {
    readonly rank: number;
    /** Score over that of the lane's best hit, 0 to 1. */
    readonly share: number;
    readonly coverage: number;
    readonly matched: readonly string[];
  } | null;
  readonly vector: {
    readonly rank: number;
    readonly similarity: number;
    /** How far the similarity lies above that of blocks picked at random, in standard deviations. */
    readonly deviations: number;
  } | null;
}

export interface FusedHit extends LaneHit {
  readonly evidence: Evidence;
}

export interface LaneResults {
  /** Each best first, with at most one hit a key. */
  readonly lexical: readonly LexicalHit[];
  readonly vector: readonly LaneHit[];
  readonly background: Background;
  /** What one standard deviation of similarity is worth as lexical score. */
  readonly weight: number;
  /** The most similarity that a hit missing from `vector` may have, where that list was cut; null where it was not. */
  readonly beyond: number | null;
  /** False while blocks have no vectors yet: to be missing then says nothing. */
  readonly complete: boolean;
  /** What makes two hits one. */
  readonly keyOf: (hit: LaneHit) => string;
}

/**
 * Fuses both lanes by adding up evidence. A lexical score is a sum over the words of the question, each as rare as it is; a
 * similarity counts by how far it stands out among the blocks, times the weight of its model. Nothing is scaled to the best hit of
 * the question: of a question in another language than the pages only names are found, which is little evidence, and what a term
 * that no hit has would have weighed shows nowhere. Ties by key. Best first.
 */
export function fuseScores(results: LaneResults): FusedHit[] {
  const { lexical, vector, background, weight, keyOf } = results;
  const lexicalAt = new Map(lexical.map((hit, at) => [keyOf(hit), { hit, at }]));
  const vectorAt = new Map(vector.map((hit, at) => [keyOf(hit), { hit, at }]));
  const top = lexical[0];
  const deviationsOf = (similarity: number): number => (similarity - background.mean) / background.deviation;
  const standsOut = (similarity: number): number => Math.max(0, deviationsOf(similarity));
  const highest = vector[0] ? standsOut(vector[0].score) : 0;
  const beyond = results.beyond === null ? 0 : standsOut(results.beyond);

  const fused = [...new Set([...lexicalAt.keys(), ...vectorAt.keys()])].map(key => {
    const word = lexicalAt.get(key);
    const near = vectorAt.get(key);
    const share = word ? shareOf(word.hit.score, top!.score) : 0;
    const words = word ? Math.max(0, word.hit.score) : 0;
    const far = results.complete ? beyond : Math.max(beyond, share * highest);
    const meaning = weight * (near ? standsOut(near.hit.score) : far);
    const shown = near && (!word || meaning > words) ? near.hit : word!.hit;
    const evidence: Evidence = {
      lexical: word ? { rank: word.at + 1, share, coverage: word.hit.coverage, matched: word.hit.matched } : null,
      vector: near ? { rank: near.at + 1, similarity: near.hit.score, deviations: deviationsOf(near.hit.score) } : null,
    };
    const { pageId, anchor, content } = shown;
    return { key, score: words + meaning, hit: { pageId, anchor, content, evidence } };
  });
  return best(fused).map(({ score, hit }) => ({ ...hit, score }));
}

/** Scores of a lane may have any sign; only their order and their distance to the best are known. */
const shareOf = (score: number, top: number): number => (top > 0 ? Math.max(0, score / top) : 1);

function best<Row extends { readonly key: string; readonly score: number }>(rows: Row[]): Row[] {
  return rows.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
