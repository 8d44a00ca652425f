import { afterEach, expect, test } from 'vitest';
import {
  analysisWith,
  asFilledAtOnce,
  filledTo,
  found,
  progressOf,
  reopened,
  searchedRows,
  SLOWLY,
} from './filling.ts';
import { confirmed, decide, FEEDER, proposal, proposed, stocked, type World } from './world.ts';

const made: World[] = [];
const kept = (here: World): World => (made.push(here), here);
afterEach(() => made.splice(0).forEach(here => here.remove()));

const OLD = analysisWith();
/** Compounds in one piece, and every three letters. */
const NEW = analysisWith({ decompound: false, trigram: true });
const PLAIN = analysisWith({ stem: false, decompound: false, normalize: false });

const TOPICS = ['Wartungspläne', 'Lieferzeiten', 'Rabattstaffel', 'Mahnwesen', 'Palettenware', 'Winterdienst'];

/** Six rules, the last one proposed, the fourth replaced by the fifth. */
async function six(): Promise<World> {
  const here = await stocked({ scopes: ['sales'], analysis: OLD });
  for (const [at, topic] of TOPICS.entries()) {
    const over = {
      statement: `${topic} werden im Januar mit dem Kunden besprochen`,
      keywords: [],
      supersedes: at === 4 ? 'sales-0004' : null,
      valid_from: at === 4 ? '2026-03-01' : '2026-01-01',
    };
    if (at === 5) await proposed(here, over);
    else await confirmed(here, over);
  }
  return here;
}

const everyAnswer = async (here: World) =>
  Promise.all(
    ['Wartung', 'artungspl', 'Lieferzeit', 'Kunde Januar', 'mahnwesen', 'Palette', 'winterdienste', 'RAL 9005'].map(
      text => found(here, text),
    ),
  );

test('[RU84] while tables are filled anew searches are answered as before, then as they are filled', async () => {
  let here = await six();
  const before = await everyAnswer(here);
  here = kept(reopened(here, { scopes: ['sales'], analysis: NEW, pace: SLOWLY }));
  expect(await everyAnswer(here)).toEqual(before);
  expect(progressOf(here)).toBe(0);
  await filledTo(here, 0.5);
  expect(await everyAnswer(here)).toEqual(before);
  await filledTo(here);
  const after = await everyAnswer(here);
  expect(after).not.toEqual(before);
  expect(after[1]).toEqual(['rule/sales-0001@2']);
  expect(searchedRows(here)).toEqual(asFilledAtOnce(here, NEW));
});

test('[RU84, RU54] proposals and decisions meanwhile are found at once, and stand in the new tables', async () => {
  const here = kept(reopened(await six(), { scopes: ['sales'], analysis: NEW, pace: SLOWLY }));
  expect(await found(here, 'wartungspläne')).toEqual(['rule/sales-0001@2']);
  await filledTo(here, 0.4);
  expect(progressOf(here)).toBeLessThan(0.9);
  const change = { statement: 'Zwieselbach liefert nur im Winter aus', keywords: ['Schneeketten'] };
  const answered = await here.do('proposeRule', proposal({ ...change, statement: TOPICS[0] + ' ruhen' }), FEEDER);
  expect(answered['possible_duplicates']).toContain('rule/sales-0001@2');
  const first = answered['ref'].slice('rule/'.length, -'@1'.length) as string;
  await decide(here, first, { decision: 'reject', version: 1, reason: 'no' });
  const second = await proposed(here, { ...change, supersedes: 'sales-0002', valid_from: '2026-02-01' });
  await decide(here, second, { decision: 'confirm', version: 1 });
  await decide(here, 'sales-0001', { decision: 'review', version: 2, change: { keywords: ['Turnus'] } });
  await decide(here, 'sales-0005', { decision: 'review', version: 2, change: { keywords: ['Europalette'] } });
  await decide(here, 'sales-0006', { decision: 'reject', version: 1, reason: 'no' });
  const answers = () =>
    Promise.all(
      ['zwieselbach', 'turnus', 'europalette', 'Dienst', 'lieferzeiten', 'ruhen'].map(text => found(here, text)),
    );
  const expected = [['rule/sales-0008@2'], ['rule/sales-0001@3'], ['rule/sales-0005@3'], [], ['rule/sales-0008@2'], []];
  expect(progressOf(here)).not.toBeNull();
  expect(await answers()).toEqual(expected);
  await filledTo(here);
  expect(await answers()).toEqual(expected);
  expect(searchedRows(here)).toEqual(asFilledAtOnce(here, NEW));
});

test.each([
  ['that were never filled', 'DELETE FROM lex_meta; DELETE FROM lex_word; DELETE FROM lex_stem; DELETE FROM lex_doc'],
  ['of a build that nobody knows', `UPDATE lex_meta SET build = '{"version":0}'; DELETE FROM lex_stem`],
  ['of a build that is no JSON', `UPDATE lex_meta SET build = 'old'`],
])('[RU84] tables %s are not asked: words find what they find in the texts', async (_, sql) => {
  let here = await six();
  here = reopened(here, { scopes: ['sales'], analysis: PLAIN });
  const words = await everyAnswer(here);
  here.files.open('sales').exec(sql);
  here = kept(reopened(here, { scopes: ['sales'], analysis: OLD, pace: SLOWLY }));
  expect(await everyAnswer(here)).toEqual(words);
  expect(words.filter(one => one.length > 0).length).toBeGreaterThan(3);
  const id = await confirmed(here, { statement: 'Zwieselbach liefert nur im Winter aus', keywords: [] });
  await filledTo(here, 0.5);
  expect(progressOf(here)).not.toBeNull();
  const [bundle] = (await here.do('searchRules', { scopes: ['sales'], text: 'zwieselbach Quatschwort' })).bundles;
  expect([bundle.head.ref, bundle.head.found_via, bundle.head.matched_terms]).toEqual([
    `rule/${id}@2`,
    ['zwieselbach'],
    1,
  ]);
  await filledTo(here);
  expect(await found(here, 'Wartung')).toContain('rule/sales-0001@2');
  expect(searchedRows(here)).toEqual(asFilledAtOnce(here, OLD));
});

test('[RU84] settings taken back while tables are filled leave those in use', async () => {
  let here = await six();
  const rows = searchedRows(here);
  here = reopened(here, { scopes: ['sales'], analysis: NEW, pace: SLOWLY });
  await found(here, 'wartung');
  await filledTo(here, 0.5);
  here = kept(reopened(here, { scopes: ['sales'], analysis: OLD, pace: SLOWLY }));
  await found(here, 'wartung');
  expect(progressOf(here)).toBeNull();
  await filledTo(here);
  expect(searchedRows(here)).toEqual(rows);
});

test('[RU84] status and the log tell how far the filling is', async () => {
  const here = kept(reopened(await six(), { scopes: ['sales'], analysis: NEW, pace: SLOWLY }));
  await found(here, 'wartung');
  await filledTo(here, 0.3);
  const check = async () => (await here.do('status', {})).scopes[0].checks[1];
  expect(await check()).toEqual({
    id: 'search-tables',
    status: 'warn',
    message: expect.stringMatching(/^search tables are being filled anew: [3-9]\d %$/),
    remedy: null,
  });
  await filledTo(here);
  expect(await check()).toBeUndefined();
  const told = here.reports
    .filter(({ event }) => event === 'scope.search-tables')
    .map(({ fields }) => fields['filled']);
  expect([told[0], told.at(-1)]).toEqual(['0 %', '100 %']);
  expect(told.length).toBeGreaterThan(3);
});
