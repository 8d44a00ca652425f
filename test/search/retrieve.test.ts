import { describe, expect, test } from 'vitest';
import { retrieve, termsOf, type SearchLanes } from '../../src/search/index.ts';
import type { LaneFilter, LaneHit, LexicalLane } from '../../src/search/ports.ts';

const FILTER: LaneFilter = {
  scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
  pageType: null,
  skill: null,
  pageId: null,
  asOf: null,
  scenario: null,
  clauses: [],
};

/** A lane over blocks in memory: a block matches when it holds the first word of a term; more words rank higher. */
function laneOf(blocks: readonly (readonly [page: string, anchor: string, text: string])[]): SearchLanes {
  const search: LexicalLane['search'] = async (terms, _filter, limit) => {
    const hits: LaneHit[] = blocks.flatMap(([pageId, anchor, content]) => {
      const score = terms.filter(term => content.includes(term.words[0]!)).length;
      return score > 0 ? [{ pageId, anchor, content, score }] : [];
    });
    return hits.sort((a, b) => b.score - a.score).slice(0, limit);
  };
  const lexical: LexicalLane = {
    search,
    async ask({ text }, filter, limit) {
      const hits = await search(termsOf(text), filter, limit);
      return {
        hits: hits.map(hit => ({ ...hit, matched: [], coverage: 1 })),
        words: termsOf(text).flatMap(term => term.words),
        language: null,
        corrections: [],
        synonyms: [],
      };
    },
  };
  return { lexical, fusion: 'score', minSimilarity: null, synonyms: () => [] };
}
const request = { filter: FILTER, granularity: 'block', k: 10 } as const;

describe('retrieve', () => {
  test('[SR6] several phrasings are fused by reciprocal rank', async () => {
    const lane = laneOf([
      ['a', '1', 'x'],
      ['b', '1', 'x y'],
      ['c', '1', 'y'],
    ]);
    const { hits, words } = await retrieve(lane, { ...request, phrasings: ['x', 'y'] });
    expect(hits.map(hit => hit.pageId)).toEqual(['b', 'a', 'c']);
    expect(hits[0]!.score).toBeCloseTo(1 / 62 + 1 / 61, 10);
    expect(words).toEqual(['x', 'y']);
  });

  test('[SR6] a page stands once, by its block of the first phrasing that found it; ties by page id', async () => {
    const lane = laneOf([
      ['b', '1', 'y'],
      ['b', '2', 'x'],
      ['b', '3', 'x'],
      ['a', '1', 'x'],
      ['a', '2', 'y'],
    ]);
    const { hits } = await retrieve(lane, { ...request, phrasings: ['x', 'y'] });
    expect(hits.map(hit => `${hit.pageId} ${hit.anchor}`)).toEqual(['b 2', 'a 1']);
    const { hits: one } = await retrieve(lane, { ...request, phrasings: ['x'] });
    expect(one).toHaveLength(3);
  });

  test('[SR7] a page with many matching blocks does not crowd out others', async () => {
    const blocks = Array.from({ length: 500 }, (_, i) => ['big', `b${i}`, 'x y'] as const);
    const lane = laneOf([...blocks, ['small', '1', 'x'], ['tiny', '1', 'x']]);
    const { hits } = await retrieve(lane, { ...request, granularity: 'page', k: 3, phrasings: ['x y'] });
    expect(hits.map(hit => hit.pageId)).toEqual(['big', 'small', 'tiny']);
  });

  test('[SR8] k of 0 gives nothing', async () => {
    expect((await retrieve(laneOf([['a', '1', 'x']]), { ...request, k: 0, phrasings: ['x'] })).hits).toEqual([]);
  });
});
