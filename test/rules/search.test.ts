import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  confirmed,
  decide,
  FEEDER,
  mail,
  proposal,
  proposed,
  refusal,
  stocked,
  type World,
  type WorldOptions,
} from './world.ts';
import { counterexample } from './counterexample.ts';

const made: World[] = [];
const fresh = async (options?: WorldOptions): Promise<World> => {
  const here = await stocked(options);
  made.push(here);
  return here;
};
afterEach(() => made.splice(0).forEach(here => here.remove()));

const about = (statement: string, over: Record<string, unknown> = {}) => ({
  statement,
  keywords: [],
  relations: [],
  ...over,
});
const refs = async (here: World, request: Record<string, unknown>): Promise<string[]> =>
  (await here.do('searchRules', { scopes: ['sales'], ...request })).bundles.map(
    (one: { head: { ref: string } }) => one.head.ref,
  );

describe('any text', () => {
  let here: World;
  beforeAll(async () => {
    here = await stocked();
    await confirmed(here, about('Code BENCH-100821 and customer::acme need version 1.0.21 at 5 GB/s'));
  });
  afterAll(() => here.remove());

  test.each([
    'BENCH-100821',
    "don't customer",
    'GB/s',
    '"--error-on-warnings" bench',
    'customer::acme',
    '"1.0.21"',
    'AND OR NOT bench',
    'bench*',
    '^bench',
    '{bench}:x',
  ])('[RU70] %j is found as typed (S01-S05)', async text => {
    expect(await refs(here, { text })).toEqual(['rule/sales-0001@2']);
    expect((await here.do('searchRules', { scopes: ['sales'], terms: [text] })).http).toBe(200);
  });

  test('[RU70] no text of Unicode is an error (S02)', async () => {
    expect(
      await counterexample(
        fc.asyncProperty(
          fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
          async (text, term) => {
            const answer = await refusal(here.do('searchRules', { scopes: ['sales'], text, terms: [term] }));
            const storable = ![text, term].some(one => one.includes('\0') || /\p{Cs}/u.test(one));
            return answer['code'] === (storable ? 'none' : 'validation-failed');
          },
        ),
        300,
      ),
    ).toBeUndefined();
  });
});

test('[RU70] the store takes any word as it is', async () => {
  const here = await fresh();
  await confirmed(here, about('A statement with the words a and b in it'));
  for (const word of ['a"b', '"', '""', 'a\0b', 'x* OR b', '(', '']) {
    const rank = (way: 'word' | 'stem' | 'tri') =>
      here
        .searched('sales')
        .now()
        .rank({
          ways: { [way]: [[word], ['statement', word]] },
          statuses: ['confirmed'],
          day: '2026-03-12',
          limit: 5,
        });
    for (const way of ['word', 'stem', 'tri'] as const) expect((await rank(way)).length).toBeLessThan(2);
    expect((await here.searched('sales').now().vocabulary.frequencies('word', [word])).size).toBe(0);
  }
});

test('[RU70] keywords weigh more than the statement, the statement more than the quote', async () => {
  const here = await fresh();
  await here.do(
    'storeSource',
    mail({ id: 'mail:<q@example.com>' }, { text: 'this long quote mentions the pallets only in passing here' }),
    FEEDER,
  );
  const source = {
    ...proposal().source,
    id: 'mail:<q@example.com>',
    quote: 'this long quote mentions the pallets only in passing',
  };
  await confirmed(here, about('Something else entirely is stated here', { source }));
  await confirmed(here, about('Something about pallets is stated here'));
  await confirmed(here, about('Something else entirely is stated here', { keywords: ['pallets'] }));
  for (let at = 0; at < 4; at++) await confirmed(here, about(`Nothing of interest number ${at} is stated`));
  expect(await refs(here, { text: 'pallets' })).toEqual([
    'rule/sales-0003@2',
    'rule/sales-0002@2',
    'rule/sales-0001@2',
  ]);
});

describe('validity', () => {
  test('[RU71] what was replaced stands until its successor starts', async () => {
    const here = await fresh();
    const old = await confirmed(here, { valid_from: '2026-01-01' });
    const next = await proposed(here, { supersedes: old, valid_from: '2026-04-01' });
    await decide(here, next, { decision: 'confirm', version: 1 });
    const on = (as_of: string) => refs(here, { text: 'hook rails', as_of });
    expect(await on('2025-12-31')).toEqual([]);
    expect(await on('2026-01-01')).toEqual([`rule/${old}@3`]);
    expect(await on('2026-03-31')).toEqual([`rule/${old}@3`]);
    expect(await on('2026-04-01')).toEqual([`rule/${next}@2`]);
    expect(await on('2036-04-01')).toEqual([`rule/${next}@2`]);
    expect(await refs(here, { text: 'hook rails' })).toEqual([`rule/${old}@3`]);
    here.pass(30 * 86_400_000);
    expect(await refs(here, { text: 'hook rails' })).toEqual([`rule/${next}@2`]);
  });

  test('[RU71] a hit on words that only the old rule had leads to the rule that holds', async () => {
    const here = await fresh();
    const chain = [
      await confirmed(here, about('Wooden crates are returned to the depot', { valid_from: '2025-01-01' })),
    ];
    for (let at = 1; at < 4; at++) {
      chain.push(
        await confirmed(
          here,
          about(`Empty boxes number ${at} go back to the depot`, {
            supersedes: chain.at(-1),
            valid_from: `2025-0${at + 1}-01`,
          }),
        ),
      );
    }
    expect(await refs(here, { text: 'wooden crates' })).toEqual([`rule/${chain[3]}@2`]);
    expect(await refs(here, { text: 'depot' })).toEqual([`rule/${chain[3]}@2`]);
    expect(await refs(here, { text: 'wooden crates', as_of: '2025-03-15' })).toEqual([`rule/${chain[2]}@3`]);
  });

  test('[RU71] today is the day in the zone of the instance', async () => {
    for (const [zone, found] of [
      ['Pacific/Auckland', 1],
      ['America/Los_Angeles', 0],
    ] as const) {
      const here = await fresh({ zone, now: new Date('2026-03-12T12:30:00Z') });
      await confirmed(here, { valid_from: '2026-03-13' });
      expect(await refs(here, { text: 'hook rails' })).toHaveLength(found);
    }
  });

  test('[RU71, RU75] proposals on request and marked, rejected rules never', async () => {
    const here = await fresh();
    const waiting = await proposed(here);
    const refused = await proposed(here);
    await decide(here, refused, { decision: 'reject', version: 1, reason: 'no' });
    expect(await refs(here, { text: 'hook rails' })).toEqual([]);
    const { bundles } = await here.do('searchRules', {
      scopes: ['sales'],
      text: 'hook rails',
      include_proposals: true,
      as_of: '2020-01-01',
    });
    expect(bundles).toHaveLength(1);
    expect(bundles[0].head).toMatchObject({ ref: `rule/${waiting}@1`, status: 'proposed', unconfirmed: true });
    expect(bundles[0].line).toMatch(/^Unconfirmed Rule from 2026-03-12: .*; proposed 0 days ago, not confirmed$/);
  });
});

test('[RU71] a relation narrows, whatever the case of its name', async () => {
  const here = await fresh();
  await confirmed(here, { relations: [{ kind: 'customer', name: 'MÜLLER', ref: null }] });
  await confirmed(here, { relations: [{ kind: 'supplier', name: 'Müller', ref: null }] });
  expect(await refs(here, { text: 'hook rails', relation: { kind: 'customer', name: 'müller' } })).toEqual([
    'rule/sales-0001@2',
  ]);
  const listed = await here.do('listRules', { scope: 'sales', relation: 'supplier:mÜller' });
  expect(listed.rules.map((one: { ref: string }) => one.ref)).toEqual(['rule/sales-0002@2']);
});

describe('coverage', () => {
  test('[RU72] weighs rare words more, and says which words were met', async () => {
    const here = await fresh();
    await confirmed(here, about('Pallets are stacked in the northern hall'));
    for (let at = 0; at < 6; at++) await confirmed(here, about(`Pallets are counted on day ${at} of the month`));
    const { bundles, query } = await here.do('searchRules', {
      scopes: ['sales'],
      text: 'pallets in the northern hall',
    });
    const heads = bundles.map((one: { head: Record<string, unknown> }) => one.head);
    expect(query.terms).toEqual(['pallets', 'northern', 'hall']);
    expect(query.variants['pallets']).toEqual(['pallets', 'pallet']);
    expect([heads[0].coverage, heads[0].matched_terms, heads[0].found_via]).toEqual([
      1,
      3,
      ['hall', 'northern', 'pallets'],
    ]);
    expect([heads[1].matched_terms, heads[1].found_via]).toEqual([1, ['pallets']]);
    expect(heads[1].coverage).toBeLessThan(1 / 3);
    expect(
      heads.every((one: { rank: { a: number } }, at: number) => at === 0 || one.rank.a <= heads[at - 1].rank.a),
    ).toBe(true);
  });

  test('[RU72] an empty answer says why', async () => {
    const here = await fresh({ minCoverage: 0.9 });
    await confirmed(here);
    const none = await here.do('searchRules', { scopes: ['sales'], text: 'qwrtzpsdfghjklxcvbnmqwrtzpsdfgh' });
    expect([none.bundles, none.abstained]).toEqual([
      [],
      { reason: 'no-candidate', best_coverage: null, min_coverage: 0.9 },
    ]);
    const weak = await here.do('searchRules', { scopes: ['sales'], text: 'hook zeppelin telescope' });
    expect(weak.abstained.reason).toBe('below-min-coverage');
    expect(weak.abstained.best_coverage).toBeGreaterThan(0);
    expect(weak.abstained.best_coverage).toBeLessThan(0.9);
    const whole = await here.do('searchRules', { scopes: ['sales'], text: 'hook rails' });
    expect([whole.bundles.length, whole.abstained]).toEqual([1, null]);
  });

  test('[RU72] without a minimum nothing is dropped, and the stages that did not run say so', async () => {
    const here = await fresh();
    await confirmed(here);
    const answer = await here.do('searchRules', {
      scopes: ['sales'],
      text: 'hook zeppelin telescope submarine violin',
    });
    expect(answer.bundles).toHaveLength(1);
    const off = { state: 'off', duration_ms: null, reason: 'disabled in config' };
    expect(answer.stages).toEqual({ a: { state: 'ran', duration_ms: 0, reason: null }, b: off, c: off });
    const nothing = await here.do('searchRules', { scopes: ['sales'], text: 'the and of' });
    expect([nothing.stages.a.state, nothing.bundles, nothing.abstained.reason]).toEqual(['ran', [], 'no-candidate']);
  });
});

test('[RU73] scopes take turns, each in its own order', async () => {
  const here = await fresh();
  await here.do('storeSource', mail({}, { scope: 'legal' }), FEEDER);
  for (let at = 0; at < 3; at++) await confirmed(here);
  await confirmed(here, { scope: 'legal' });
  const request = { scopes: ['legal', 'sales'], cross_scope: true, text: 'hook rails' };
  expect(await refs(here, request)).toEqual([
    'rule/legal-0001@2',
    'rule/sales-0001@2',
    'rule/sales-0002@2',
    'rule/sales-0003@2',
  ]);
  expect(await refs(here, { ...request, limit: 2 })).toEqual(['rule/legal-0001@2', 'rule/sales-0001@2']);
});

test.each([
  ['neither text nor terms', {}],
  ['no terms', { terms: [] }],
  ['no scope', { scopes: [], text: 'x' }],
  ['too many', { text: 'x', limit: 51 }],
  ['a day that is none', { text: 'x', as_of: '2026-02-30' }],
  ['an unknown key', { text: 'x', entity: 'sales-e0001' }],
])('[RU70] %s is invalid', async (_, request) => {
  const here = await fresh();
  expect((await refusal(here.do('searchRules', { scopes: ['sales'], ...request })))['code']).toBe('validation-failed');
});
