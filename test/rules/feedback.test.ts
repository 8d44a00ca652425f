import { afterEach, beforeEach, expect, test } from 'vitest';
import { ANNA, confirmed, FEEDER, grant, mail, refusal, stocked, type World } from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const search = async (more: Record<string, unknown> = {}): Promise<string> =>
  (await here.do('searchRules', { scopes: ['sales'], text: 'hook rails', ...more })).search_id as string;
const rows = (scope: string) =>
  here.rows(scope, 'SELECT search_id, ref, verdict, given_by, given_at FROM feedback ORDER BY id');

test('[RU81] one row an item: verdicts about the version shown, missing rules without one', async () => {
  const rule = await confirmed(here);
  const id = await search();
  const answer = await here.do('feedback', {
    search_id: id,
    bundles: [
      { ref: `rule/${rule}@2`, verdict: 'relevant' },
      { ref: `rule/${rule}`, verdict: 'irrelevant' },
    ],
    missing: ['rule/sales-0099@3'],
  });
  expect(answer).toEqual({ http: 200, recorded: 3 });
  const given = { search_id: id, given_by: ANNA.id, given_at: here.clock().toISOString() };
  expect(rows('sales')).toEqual([
    { ...given, ref: `rule/${rule}@2`, verdict: 'relevant' },
    { ...given, ref: `rule/${rule}@2`, verdict: 'irrelevant' },
    { ...given, ref: 'rule/sales-0099', verdict: 'missing' },
  ]);
  expect(here.rows('sales', `SELECT outcome, refs FROM search_log WHERE operation = 'feedback'`)).toEqual([
    { outcome: 200, refs: `["rule/${rule}@2","rule/${rule}@2","rule/sales-0099"]` },
  ]);
});

test('[RU81] of a search over several scopes, each item in its own', async () => {
  await here.do('storeSource', mail({}, { scope: 'legal' }), FEEDER);
  const [one, other] = [await confirmed(here), await confirmed(here, { scope: 'legal' })];
  const id = await search({ scopes: ['sales', 'legal'], cross_scope: true });
  const bundles = [one, other].map(rule => ({ ref: `rule/${rule}@2`, verdict: 'relevant' }));
  expect(await here.do('feedback', { search_id: id, bundles, missing: [] })).toEqual({ http: 200, recorded: 2 });
  expect(rows('sales').map(({ ref }) => ref)).toEqual([`rule/${one}@2`]);
  expect(rows('legal').map(({ ref }) => ref)).toEqual([`rule/${other}@2`]);
});

test('[RU81] a search of somebody else, of another scope, of another kind and one that never was answer alike', async () => {
  await confirmed(here);
  const id = await search();
  const listing = here.rows('sales', `SELECT id FROM search_log WHERE operation = 'propose'`)[0]!['id'] as string;
  const about = (search_id: string, scope = 'sales') => ({ search_id, bundles: [], missing: [`rule/${scope}-0001`] });
  const said = async (input: object, caller = ANNA) => refusal(here.do('feedback', input, caller));
  const unknown = await said(about(UNKNOWN));
  expect(unknown['code']).toBe('not-found');
  expect(await said(about(id), grant('person:7'))).toEqual(unknown);
  expect(await said(about(id, 'legal'))).toEqual(unknown);
  expect(await said(about(listing), FEEDER)).toEqual(unknown);
  expect(await said(about('no such thing'))).toEqual(unknown);
  expect(await said({ ...about(id), missing: ['rule/sales-0001', 'rule/legal-0001'] })).toEqual(unknown);
  expect([...rows('sales'), ...rows('legal')]).toEqual([]);
  expect(here.rows('sales', `SELECT 1 FROM search_log WHERE operation = 'feedback' AND outcome = 404`)).toHaveLength(5);
});

test('[RU20, RU81] scopes, rights and form are looked at first', async () => {
  const id = await search();
  const empty = { search_id: id, bundles: [], missing: [] };
  const one = { ...empty, missing: ['rule/sales-0001'] };
  const code = async (input: object, caller = ANNA) => (await refusal(here.do('feedback', input, caller)))['code'];
  expect(await code(empty)).toBe('validation-failed');
  expect(await code({ ...one, note: 'x' })).toBe('validation-failed');
  expect(await code({ ...one, missing: Array.from({ length: 51 }, () => 'rule/sales-0001') })).toBe(
    'validation-failed',
  );
  expect(await code({ ...one, bundles: [{ ref: 'rule/sales-0001', verdict: 'good' }] })).toBe('validation-failed');
  expect(await code({ ...one, missing: ['rule/finance-0001'] })).toBe('scope-not-allowed');
  expect(await code(one, grant('person:1', ['propose']))).toBe('channel-not-allowed');
});
