import type { SearchLanes } from '../../src/search/index.ts';
import type { LaneFilter, LaneHit, LexicalHit, LexicalLane } from '../../src/search/ports.ts';
import type { VectorLane, VectorLaneState } from '../../src/search/vectors/ports.ts';

export const EVERYTHING: LaneFilter = {
  scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
  pageType: null,
  skill: null,
  pageId: null,
  asOf: null,
  scenario: null,
  clauses: [],
};

/** A lexical lane that gives these hits to every question. */
export function words(hits: readonly Partial<LexicalHit>[]): LexicalLane {
  const whole = hits.map((hit, at) => ({
    pageId: `p${at}`,
    anchor: 'w',
    content: `words ${at}`,
    score: 10 - at,
    coverage: 1,
    matched: ['x'],
    ...hit,
  }));
  return {
    search: async (_terms, _filter, limit) => whole.slice(0, limit),
    ask: async (_question, _filter, limit) => ({
      hits: whole.slice(0, limit),
      words: ['x'],
      language: 'de',
      corrections: [],
      synonyms: [],
    }),
  };
}

/** A vector lane that gives these hits to every question. */
export function vectors(hits: readonly Partial<LaneHit>[], state: Partial<VectorLaneState> = {}): VectorLane {
  const whole = hits.map((hit, at) => ({
    pageId: `q${at}`,
    anchor: 'v',
    content: `meaning ${at}`,
    score: 0.8 - at / 100,
    ...hit,
  }));
  const now: VectorLaneState = {
    state: 'ready',
    serving: { model: 'm', revision: '1', dim: 3, semantic: true },
    done: 1,
    total: 1,
    ...state,
  };
  return {
    question: async text => (now.serving ? { text, space: 's', values: new Float32Array(3) } : null),
    search: async (_question, _filter, limit) => whole.slice(0, limit),
    background: async () => ({ mean: 0.5, deviation: 0.05 }),
    state: () => now,
  };
}

export const lanes = (lexical: LexicalLane, more: Partial<SearchLanes> = {}): SearchLanes => ({
  lexical,
  fusion: 'score',
  minSimilarity: null,
  synonyms: () => [],
  ...more,
});
