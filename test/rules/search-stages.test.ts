import { afterEach, describe, expect, test } from 'vitest';
import { rerankStage } from '../../src/search/rerank/index.ts';
import type { Reranker } from '../../src/search/rerank/ports.ts';
import { rerankingStage } from '../../src/rules/search/stages/reranking.ts';
import { semanticStage } from '../../src/rules/search/stages/semantic.ts';
import type { LaterStages } from '../../src/rules/search/stages/ports.ts';
import { hashEmbedder } from '../../src/storage/models/hash.ts';
import { sqliteRuleVectors } from '../../src/storage/sqlite/scopes/rule-vectors.ts';
import { confirmed, decide, FEEDER, mail, proposed, stocked, type World, type WorldOptions } from './world.ts';

const made: World[] = [];
afterEach(() => made.splice(0).forEach(here => here.remove()));

async function fresh(stages: (here: World) => LaterStages, options: WorldOptions = {}): Promise<World> {
  const later: { stages?: LaterStages } = {};
  const here = await stocked({ ...options, later });
  later.stages = stages(here);
  made.push(here);
  return here;
}
const about = (statement: string) => ({ statement, keywords: [], relations: [] });
const ask = (here: World, text: string, more: object = {}) =>
  here.do('searchRules', { scopes: ['sales'], text, ...more });
const refs = (answer: Record<string, any>): string[] => answer['bundles'].map((one: any) => one.head.ref); // oxlint-disable-line typescript/no-explicit-any

const byMeaning = (here: World, allowed = ['local'], embedder = async () => hashEmbedder()) =>
  semanticStage({
    embedder,
    vectors: sqliteRuleVectors(here.files),
    allowed: scope => (scope === 'legal' ? [] : allowed),
    ticks: () => 0,
    report: () => undefined,
  });
const hasVectors = async (here: World, count: number): Promise<void> => {
  for (;;) {
    const rows = here.rows('sales', 'SELECT v.seq FROM vec_rule v JOIN rule r ON r.seq = v.seq');
    if (rows.length === count) return;
    await new Promise(resolve => setImmediate(resolve));
  }
};

describe('the stage by meaning', () => {
  test('[RU86] finds what no word leads to, and says so; both orders are fused by rank', async () => {
    const here = await fresh(one => ({ b: byMeaning(one) }));
    const near = await confirmed(here, about('Hakenschienenlager werden im Norden aufgebaut'));
    const plain = await confirmed(here, about('Der Norden ist zuerst dran und bekommt alles'));
    await ask(here, 'x');
    await hasVectors(here, 2);
    const answer = await ask(here, 'Hakenschienenlagerung Norden');
    expect(answer.stages.b).toEqual({ state: 'ran', duration_ms: 0, reason: null });
    expect(refs(answer)).toEqual([`rule/${near}@2`, `rule/${plain}@2`]);
    const [best] = answer.bundles;
    expect(best.head.rank).toEqual({
      a: expect.any(Number),
      b: expect.any(Number),
      rrf: Number((2 / 61).toFixed(6)),
      reranker: null,
    });
    expect(best.head.found_via).toContain('semantic');
    const only = await ask(here, 'Hakenschinenlgr');
    expect(only.bundles[0].head.rank.a).toBeNull();
    expect(only.bundles[0].head.found_via).toEqual(['semantic']);
    expect(here.rows('sales', `SELECT stages FROM search_log WHERE operation = 'search'`).at(-1)!['stages']).toContain(
      '"b":{"state":"ran"',
    );
  });

  test('[RU86] follows dates, proposals and refusals as words do', async () => {
    const here = await fresh(one => ({ b: byMeaning(one) }));
    const old = await confirmed(here, about('Hakenschienen werden im Norden gelagert'));
    const next = await proposed(here, {
      ...about('Hakenschienen liegen im Norden und im Osten'),
      supersedes: old,
      valid_from: '2026-03-12',
    });
    const refused = await proposed(here, about('Hakenschienen gibt es im Norden nicht mehr'));
    await ask(here, 'x');
    await hasVectors(here, 3);
    await decide(here, next, { decision: 'confirm', version: 1 });
    await decide(here, refused, { decision: 'reject', version: 1, reason: 'no' });
    expect(refs(await ask(here, 'Hakenschine im Norden', { include_proposals: true }))).toEqual([`rule/${next}@2`]);
  });

  test('[RU87] a scope that does not allow it is not asked, and one that fails leaves the words', async () => {
    const here = await fresh(one => ({ b: byMeaning(one) }));
    await here.do('storeSource', mail({}, { scope: 'legal' }), FEEDER);
    const id = await confirmed(here, { scope: 'legal' });
    const answer = await here.do('searchRules', { scopes: ['legal'], text: 'hook rails' });
    expect(answer.stages.b).toEqual({
      state: 'not-allowed',
      duration_ms: null,
      reason: 'provider local is not allowed in this scope',
    });
    expect(refs(answer)).toEqual([`rule/${id}@2`]);
    expect(here.rows('legal', 'SELECT 1 FROM vec_rule')).toEqual([]);
    const broken = await fresh(one => ({
      b: byMeaning(one, ['local'], async () => {
        throw Object.assign(new Error('secret path'), { code: 'model-missing' });
      }),
    }));
    const rule = await confirmed(broken);
    const left = await ask(broken, 'hook rails');
    expect([left.stages.b, refs(left)]).toEqual([
      { state: 'failed', duration_ms: null, reason: 'model-missing' },
      [`rule/${rule}@2`],
    ]);
  });
});

describe('the stage that reads again', () => {
  const reading = (
    score: (passage: string) => number,
    seen: string[] = [],
    price = 0,
  ): ReturnType<typeof rerankStage> => {
    const reranker: Reranker = {
      name: 'test',
      price: () => price,
      score: async (_question, passages) => {
        seen.push(...passages);
        return passages.map(score);
      },
      close: async () => undefined,
    };
    const spending = { spent: () => 0, add: () => undefined };
    return rerankStage({
      reranker,
      candidates: 50,
      timeoutMs: 5000,
      monthlyCapUsd: 5,
      spending,
      now: () => new Date(0),
    });
  };
  const stage = (given: ReturnType<typeof rerankStage> | undefined, on = true): LaterStages => ({
    c: rerankingStage({
      stage: given,
      threshold: 0.5,
      allowed: scope => ({ allowed: scope === 'legal' ? [] : ['typesafe'], reranker: on }),
    }),
  });

  test('[RU86] orders the best heads anew; those below its threshold are no answer', async () => {
    const here = await fresh(() =>
      stage(reading(passage => (passage.startsWith('Second') ? 0.9 : passage.startsWith('Third') ? 0.6 : 0.1))),
    );
    for (const word of ['First', 'Second', 'Third']) await confirmed(here, about(`${word} of the pallets in the hall`));
    const answer = await ask(here, 'pallets');
    expect(refs(answer)).toEqual(['rule/sales-0002@2', 'rule/sales-0003@2']);
    expect(answer.bundles[0].head.rank.reranker).toBe(0.9);
    expect(answer.stages.c.state).toBe('ran');
  });

  test('[RU75] what is rejected while it reads is not shown', async () => {
    const waiting: string[] = [];
    const here = await fresh(one => {
      const given = reading(() => 1);
      return {
        c: rerankingStage({
          stage: {
            ...given,
            async run(question, passages) {
              await decide(one, waiting[0]!, { decision: 'reject', version: 1, reason: 'no' });
              return given.run(question, passages);
            },
          },
          threshold: 0.5,
          allowed: () => ({ allowed: ['typesafe'], reranker: true }),
        }),
      };
    });
    waiting.push(await proposed(here));
    const answer = await ask(here, 'hook rails', { include_proposals: true });
    expect([answer.bundles, answer.abstained.reason]).toEqual([[], 'no-candidate']);
  });

  test('[RU86] an answer that nothing passes says why', async () => {
    const here = await fresh(() => stage(reading(() => 0.2)));
    await confirmed(here);
    const answer = await ask(here, 'hook rails');
    expect([answer.bundles, answer.abstained]).toEqual([
      [],
      { reason: 'below-reranker-threshold', best_coverage: 1, min_coverage: 0 },
    ]);
  });

  test('[RU87] no text leaves a scope that does not name the provider, or does not want it', async () => {
    const seen: string[] = [];
    for (const [scope, on] of [
      ['legal', true],
      ['sales', false],
    ] as const) {
      const here = await fresh(() =>
        stage(
          reading(() => 1, seen),
          on,
        ),
      );
      await here.do('storeSource', mail({}, { scope }), FEEDER);
      const id = await confirmed(here, { scope });
      const answer = await here.do('searchRules', { scopes: [scope], text: 'hook rails' });
      expect([answer.stages.c.state, refs(answer)]).toEqual(['not-allowed', [`rule/${id}@2`]]);
    }
    expect(seen).toEqual([]);
  });

  test('[RU87] no way to it, and no money for it, leave the search as it was', async () => {
    for (const [given, state] of [
      [undefined, 'failed'],
      [reading(() => 1, [], 6), 'budget'],
    ] as const) {
      const here = await fresh(() => stage(given));
      const id = await confirmed(here);
      const answer = await ask(here, 'hook rails');
      expect([answer.stages.c.state, refs(answer)]).toEqual([state, [`rule/${id}@2`]]);
    }
  });
});
