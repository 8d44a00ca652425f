import { describe, expect, test } from 'vitest';
import { retrieve } from '../../src/search/index.ts';
import { RerankFault, rerankStage, type RerankStageParts } from '../../src/search/rerank/index.ts';
import { EVERYTHING, lanes, words } from './lanes.ts';

const never = new Promise<never>(() => undefined);

function stage(
  score: (passages: readonly string[]) => Promise<readonly number[]>,
  more: Partial<RerankStageParts> = {},
) {
  const spent = new Map<string, number>();
  const seen: (readonly string[])[] = [];
  const parts: RerankStageParts = {
    reranker: {
      name: 'r',
      price: () => 0,
      score: (_question, passages) => (seen.push(passages), score(passages)),
      close: async () => undefined,
    },
    candidates: 2,
    timeoutMs: 60_000,
    monthlyCapUsd: null,
    spending: {
      spent: month => spent.get(month) ?? 0,
      add: (month, usd) => void spent.set(month, (spent.get(month) ?? 0) + usd),
    },
    now: () => new Date('2026-03-04T05:06:07Z'),
    ...more,
  };
  return { rerank: rerankStage(parts), seen, spent };
}
const paid = (score: (passages: readonly string[]) => Promise<readonly number[]>) => ({
  name: 'r',
  price: (passages: number) => passages * 0.4,
  score: (_question: string, passages: readonly string[]) => score(passages),
  close: async () => undefined,
});
const ask = (rerank: ReturnType<typeof stage>['rerank'], k = 10) =>
  retrieve(lanes(words([{}, {}, {}]), { rerank }), {
    phrasings: ['x'],
    filter: EVERYTHING,
    granularity: 'block',
    k,
  });

describe('reranking', () => {
  test('[SR13] the best candidates are ordered anew by their whole text, the rest follows', async () => {
    const { rerank, seen } = stage(async () => [0.1, 0.9]);
    const { hits, rerank: state } = await ask(rerank);
    expect(hits.map(({ pageId, reranked }) => [pageId, reranked])).toEqual([
      ['p1', 0.9],
      ['p0', 0.1],
      ['p2', null],
    ]);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(seen).toEqual([['words 0', 'words 1']]);
    expect(state).toEqual({ state: 'ran', duration_ms: 0, reason: null });
  });

  test('[SR13] more candidates are taken than hits are wanted (E298)', async () => {
    const { rerank } = stage(async () => [0.1, 0.9]);
    expect((await ask(rerank, 1)).hits.map(({ pageId }) => pageId)).toEqual(['p1']);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('secret of the service')), 'failed', 'internal error'],
    ['fails in known words', () => Promise.reject(new RerankFault('answered 503')), 'failed', 'answered 503'],
    ['answers too little', async () => [0.5], 'failed', 'internal error'],
    ['answers no numbers', async () => [Number.NaN, 1], 'failed', 'internal error'],
    ['takes too long', () => never, 'budget', 'time budget used up'],
  ])('[SR13] a reranker that %s leaves the order as it was', async (_name, score, state, reason) => {
    const { rerank } = stage(score, { timeoutMs: 20 });
    const { hits, rerank: said } = await ask(rerank);
    expect(hits.map(({ pageId, reranked }) => [pageId, reranked])).toEqual([
      ['p0', null],
      ['p1', null],
      ['p2', null],
    ]);
    expect(said).toMatchObject({ state, reason });
  });

  test('[SR13] it stops for the month before it costs more than it may', async () => {
    const { rerank, spent } = stage(async () => [], { reranker: paid(async () => [0.1, 0.9]), monthlyCapUsd: 1 });
    expect((await ask(rerank)).rerank.state).toBe('ran');
    expect((await ask(rerank)).rerank).toEqual({ state: 'budget', duration_ms: null, reason: 'monthly cap reached' });
    expect(spent).toEqual(new Map([['2026-03', 0.8]]));
  });

  test('[SR13] a search that is called off is called off', async () => {
    const { rerank } = stage(() => never);
    const controller = new AbortController();
    const asked = retrieve(lanes(words([{}]), { rerank }), {
      phrasings: ['x'],
      filter: EVERYTHING,
      granularity: 'block',
      k: 1,
      signal: controller.signal,
    });
    setImmediate(() => controller.abort(new Error('gone')));
    await expect(asked).rejects.toThrow('gone');
  });
});
