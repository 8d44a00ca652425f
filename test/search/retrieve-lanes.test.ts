import { describe, expect, test, vi } from 'vitest';
import { retrieve, type SearchLanes } from '../../src/search/index.ts';
import { EVERYTHING, lanes, vectors, words } from './lanes.ts';

const ask = (given: SearchLanes, more: Partial<Parameters<typeof retrieve>[1]> = {}) =>
  retrieve(given, { phrasings: ['x'], filter: EVERYTHING, granularity: 'block', k: 10, ...more });
const found = async (given: SearchLanes, more: Partial<Parameters<typeof retrieve>[1]> = {}): Promise<string[]> =>
  (await ask(given, more)).hits.map(({ pageId }) => pageId);

describe('lanes', () => {
  test('[SR9] blocks are one when page and anchor are, pages when the page is', async () => {
    const given = lanes(words([{ pageId: 'a' }]), { vectors: vectors([{ pageId: 'a' }]) });
    expect(await found(given)).toEqual(['a', 'a']);
    expect(await found(given, { granularity: 'page' })).toEqual(['a']);
  });

  test('[SR9] reciprocal ranks are a setting', async () => {
    const given = { vectors: vectors([{ pageId: 'b' }, { pageId: 'a' }]), fusion: 'rrf' } as const;
    const { hits } = await ask(lanes(words([{ pageId: 'a' }]), given), { granularity: 'page' });
    expect(hits.map(({ pageId, score }) => [pageId, score])).toEqual([
      ['a', 1 / 61 + 1 / 62],
      ['b', 1 / 61],
    ]);
  });

  test('[SR11] a vector lane that does not answer changes nothing', async () => {
    const alone = await ask(lanes(words([{}, {}])));
    for (const state of [
      { state: 'off', serving: null },
      { state: 'down', serving: null },
      { state: 'ready', serving: { model: 'hash', revision: '1', dim: 3, semantic: false } },
    ] as const) {
      expect(await ask(lanes(words([{}, {}]), { vectors: vectors([{}], state) }))).toEqual(alone);
    }
    expect(alone.hits.map(({ score }) => score)).toEqual([10, 9]);
    expect(alone.vector).toBeNull();
  });

  test('[SR11] a least similarity drops hits of vectors only, and none when one page is asked (E294, E295)', async () => {
    const given = lanes(words([{}]), { vectors: vectors([{}, { score: 0.2 }]), minSimilarity: 0.5 });
    expect((await found(given)).toSorted()).toEqual(['p0', 'q0']);
    const within = { ...EVERYTHING, pageId: 'q1' };
    expect((await found(given, { filter: within })).toSorted()).toEqual(['p0', 'q0', 'q1']);
  });

  test('[SR11] an embedder that does not answer in time leaves the search to words; a caller who goes ends it', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('late')));
    try {
      const near = vectors([{}]);
      const silent = {
        ...near,
        question: (_text: string, signal?: AbortSignal) =>
          new Promise<never>((_, reject) => {
            if (signal?.aborted) reject(signal.reason as Error);
          }),
      };
      expect(await found(lanes(words([{}]), { vectors: silent }))).toEqual(['p0']);
      const gone = AbortSignal.abort(new Error('gone'));
      await expect(found(lanes(words([{}]), { vectors: silent }), { signal: gone })).rejects.toThrow('gone');
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('[SR12] a least coverage leaves out what covers less, and says so when nothing is left', async () => {
    const lexical = words([{ coverage: 0.7 }, { coverage: 0.3 }]);
    expect(await found(lanes(lexical), { minCoverage: 0.5 })).toEqual(['p0']);
    const { hits, abstained } = await ask(lanes(lexical), { minCoverage: 0.9 });
    expect(hits).toEqual([]);
    expect(abstained).toEqual({ reason: 'below-min-coverage', best_coverage: 0.7, min_coverage: 0.9 });
    expect((await ask(lanes(lexical))).abstained).toBeNull();
    expect((await ask(lanes(words([])))).abstained).toEqual({
      reason: 'no-candidate',
      best_coverage: null,
      min_coverage: 0,
    });
    expect((await ask(lanes(words([])), { k: 0 })).abstained).toBeNull();
  });

  test('[SR12] the vector lane vouches for a hit that stands out, not for one that does not', async () => {
    const given = lanes(words([]), { vectors: vectors([{ score: 0.71 }, { score: 0.69 }]) });
    expect(await found(given, { minCoverage: 0.5 })).toEqual(['q0']);
    expect(await found(given)).toEqual(['q0', 'q1']);
  });

  test('[SR11] every lane is asked with the filter and the signal', async () => {
    const signal = new AbortController().signal;
    const seen: unknown[] = [];
    const lexical = words([{}]);
    const near = vectors([{}]);
    const given = lanes(
      { ...lexical, ask: (...args) => (seen.push(args[1], args[3]), lexical.ask(...args)) },
      { vectors: { ...near, search: (...args) => (seen.push(args[1]), near.search(...args)) } },
    );
    await ask(given, { signal });
    expect(seen).toEqual([EVERYTHING, signal, EVERYTHING]);
  });
});
