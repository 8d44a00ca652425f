import type { LaneFilter, LaneHit, LexicalAnswer, LexicalHit, LexicalLane } from './ports.ts';
import type { SynonymsOfText } from './synonyms/index.ts';
import type { Background, QuestionVector, VectorLane, VectorSpace } from './vectors/ports.ts';

/** Longer than any local model takes. */
const QUESTION_MS = 10_000;

export interface Wanted {
  /** See SearchLanes. */
  readonly synonyms: SynonymsOfText;
  readonly filter: LaneFilter;
  readonly granularity: 'block' | 'page';
  /** Hits wanted of each lane at the least, as far as there are any. */
  readonly depth: number;
  readonly signal?: AbortSignal | undefined;
}

export interface WordResults extends LexicalAnswer {
  readonly hits: readonly LexicalHit[];
}

export interface VectorResults {
  readonly hits: readonly LaneHit[];
  readonly background: Background;
  readonly space: VectorSpace;
  /** See `LaneResults`. */
  readonly beyond: number | null;
  readonly complete: boolean;
}

/** Hits of the lexical lane; with page granularity each page once, by its best block. */
export async function wordResults(lane: LexicalLane, text: string, wanted: Wanted): Promise<WordResults> {
  const question = { text, synonyms: wanted.synonyms(text) };
  let answer: LexicalAnswer | undefined;
  const { hits } = await enough(wanted, async limit => {
    answer = await lane.ask(question, wanted.filter, limit, wanted.signal);
    return answer.hits;
  });
  return { ...answer!, hits };
}

/** The same of the vector lane; null when it does not answer. Nothing below `minSimilarity` unless one page is asked (E294, E295). */
export async function vectorResults(
  lane: VectorLane,
  text: string,
  minSimilarity: number | null,
  wanted: Wanted,
): Promise<VectorResults | null> {
  const space = lane.state().serving;
  if (!space?.semantic) return null;
  const question = await questionInTime(lane, text, wanted.signal);
  if (!question) return null;
  const { state, serving } = lane.state();
  const background = await lane.background(question);
  const { hits, cut } = await enough(wanted, limit => lane.search(question, wanted.filter, limit, wanted.signal));
  const floor = wanted.filter.pageId === null ? (minSimilarity ?? -1) : -1;
  return {
    hits: hits.filter(hit => hit.score >= floor),
    background: background ?? among(hits),
    space: serving ?? space,
    beyond: cut ? (hits.at(-1)?.score ?? null) : null,
    complete: state === 'ready',
  };
}

/** A service that does not answer must not keep a search that words can answer. Rejects only when `signal` fires. */
async function questionInTime(
  lane: VectorLane,
  text: string,
  signal: AbortSignal | undefined,
): Promise<QuestionVector | null> {
  const late = AbortSignal.timeout(QUESTION_MS);
  try {
    return await lane.question(text, signal ? AbortSignal.any([signal, late]) : late);
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted) return null;
    throw error;
  }
}

/** A page is ranked by its best block, so a lane is asked for more blocks until enough pages are seen. */
async function enough<Hit extends LaneHit>(
  { granularity, depth }: Wanted,
  ask: (limit: number) => Promise<readonly Hit[]>,
): Promise<{ readonly hits: readonly Hit[]; readonly cut: boolean }> {
  for (let limit = granularity === 'page' ? depth * 4 : depth; ; limit *= 4) {
    const hits = await ask(limit);
    const cut = hits.length === limit;
    if (granularity === 'block') return { hits, cut };
    const pages = new Map<string, Hit>();
    for (const hit of hits) if (!pages.has(hit.pageId)) pages.set(hit.pageId, hit);
    if (pages.size >= depth || !cut) return { hits: [...pages.values()], cut };
  }
}

/** Too few vectors to tell chance by: what the hits themselves have in common, one deviation being a tenth of the whole scale. */
function among(hits: readonly LaneHit[]): Background {
  const mean = hits.reduce((sum, hit) => sum + hit.score, 0) / Math.max(1, hits.length);
  return { mean: Math.min(mean, hits.at(-1)?.score ?? mean), deviation: 0.1 };
}
