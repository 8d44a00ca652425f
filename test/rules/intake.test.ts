import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readTree, targetOf } from '../architecture/tree.ts';
import { FEEDER, grant, meeting, MAIL_ID, proposal, QUOTE, refusal, stocked, type World } from './world.ts';

const SRC = join(import.meta.dirname, '../../src');
let here: World | undefined;
afterEach(() => {
  here?.remove();
  here = undefined;
});

test('[RU130] nothing but the intake makes a proposal of what was sent', () => {
  const modules = readTree(SRC);
  const importers = (wanted: string): string[] =>
    modules
      .filter(({ path, imports }) => imports.some(edge => targetOf(path, edge) === wanted))
      .map(({ path }) => path);
  expect(importers('rules/proposals/new-proposal.ts')).toEqual(['rules/proposals/intake.ts']);
  expect(importers('rules/proposals/check-quote.ts')).toEqual(['rules/proposals/intake.ts']);
  expect(importers('rules/proposals/intake.ts')).toEqual(['rules/proposals/propose-rule.op.ts']);
});

test('[RU131] where a quote was found is stored with the proposal, for mails and for each segment of a meeting', async () => {
  here = await stocked();
  await here.do('storeSource', meeting(), FEEDER);
  await here.do('proposeRule', proposal(), FEEDER);
  const said = 'from april on we ship to Switzerland ONLY with customs papers';
  const source = {
    kind: 'jamie',
    id: 'jamie:weekly-1',
    quote: said,
    timestamp_s: 305,
    link: 'https://meet.example.com/1',
  };
  await here.do('proposeRule', proposal({ source }), grant('person:4'));
  await here.do('proposeRule', proposal({ source: { kind: 'manual', quote: QUOTE, link: null } }), FEEDER);
  const [{ excerpt }] = here.rows('sales', `SELECT excerpt FROM source WHERE id = '${MAIL_ID}'`) as [
    { excerpt: string },
  ];
  const start = excerpt.indexOf(QUOTE);
  expect(here.rows('sales', 'SELECT * FROM quote_match ORDER BY rule_id, part')).toEqual([
    { rule_id: 'sales-0001', part: 0, start, stop: start + QUOTE.length },
    { rule_id: 'sales-0002', part: 2, start: 0, stop: 'From April on we ship'.length },
    { rule_id: 'sales-0002', part: 3, start: 0, stop: 'to Switzerland only with customs papers'.length },
  ]);
});

test.each([
  ['split by a soft hyphen', 'Das Pass\u00ADwort lautet Sommer2026!'],
  ['with zero-width characters in it', `ghp_${'a1B2\u200B'.repeat(9)}`],
  ['in wide letters', 'ＡＫＩＡＩＯＳＦＯＤＮＮ７ＥＸＡＭＰＬＥ'],
])('[RU55] a secret %s is a secret', async (_, secret) => {
  here = await stocked();
  for (const over of [
    { statement: `Bitte merken: ${secret}` },
    { keywords: [secret.slice(0, 100)] },
    { speaker: secret },
    { relations: [{ kind: 'customer', name: 'x', ref: secret }] },
  ]) {
    expect(await refusal(here.do('proposeRule', proposal(over), FEEDER))).toMatchObject({ code: 'secret-detected' });
  }
  expect(here.rows('sales', 'SELECT count(*) AS n FROM rule')).toEqual([{ n: 0 }]);
});
