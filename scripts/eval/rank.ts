import { retrieve, type SearchLanes } from '../../src/search/index.ts';
import type { LaneFilter, LexicalLane } from '../../src/search/ports.ts';
import type { Question } from './dataset.ts';
import { figuresOf, mean, ndcg, type Figures, type Ranking } from './measures.ts';

const DEPTH = 100;
const EVERYTHING: LaneFilter = {
  scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
  pageType: null,
  skill: null,
  pageId: null,
  asOf: null,
  scenario: null,
  clauses: [],
};

/** A lexical lane that finds nothing, to see another lane alone. */
export const SILENT: LexicalLane = {
  search: async () => [],
  ask: async () => ({ hits: [], words: [], language: null, corrections: [], synonyms: [] }),
};

export interface RankedSet {
  readonly name: string;
  readonly figures: Figures;
  /** nDCG@10 of each question that has an answer, in their order. */
  readonly each: readonly number[];
  readonly rankings: ReadonlyMap<string, Ranking>;
  /** Milliseconds a question, asked for ten pages one after the other. */
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
}

/** Asks every question of these lanes: once for ten pages, timed, and once for a hundred. */
export async function rankAll(
  name: string,
  lanes: SearchLanes,
  questions: readonly Question[],
  minCoverage = 0,
): Promise<RankedSet> {
  const request = { filter: EVERYTHING, granularity: 'page', minCoverage } as const;
  for (const { text } of questions.slice(0, 20)) await retrieve(lanes, { ...request, phrasings: [text], k: 10 });
  const times: number[] = [];
  const rankings = new Map<string, Ranking>();
  const began = performance.now();
  for (const { text } of questions) {
    const from = performance.now();
    await retrieve(lanes, { ...request, phrasings: [text], k: 10 });
    times.push(performance.now() - from);
  }
  const seconds = (performance.now() - began) / 1000;
  for (const { id, text } of questions) {
    const { hits } = await retrieve(lanes, { ...request, phrasings: [text], k: DEPTH });
    rankings.set(
      id,
      hits.map(({ pageId }) => pageId),
    );
  }
  const answers = questions.map(({ id, relevant }) => ({ ranking: rankings.get(id)!, relevant }));
  const sorted = times.toSorted((a, b) => a - b);
  return {
    name,
    figures: figuresOf(answers),
    each: answers.filter(({ relevant }) => relevant.size > 0).map(one => ndcg(one.ranking, one.relevant, 10)),
    rankings,
    p50: sorted[Math.floor(sorted.length / 2)] ?? 0,
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    perSecond: questions.length / seconds,
  };
}

/** Mean nDCG@10 by the part of the id before the last dash, and how many of the unanswerable questions found nothing. */
export function byKind(questions: readonly Question[], { rankings }: RankedSet): Map<string, number> {
  const kinds = new Map<string, number[]>();
  for (const { id, relevant } of questions) {
    const kind = id.replace(/-[^-]*$/u, '');
    const ranking = rankings.get(id)!;
    const value = relevant.size > 0 ? ndcg(ranking, relevant, 10) : Number(ranking.length === 0);
    kinds.set(kind, [...(kinds.get(kind) ?? []), value]);
  }
  return new Map([...kinds].map(([kind, values]) => [kind, mean(values)]));
}
