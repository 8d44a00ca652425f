import { afterEach, expect, test } from 'vitest';
import { createAnalysis, lexicalSettings } from '../../src/rules/search/lexical/index.ts';
import { confirmed, decide, proposed, stocked, world, type World } from './world.ts';

const made: World[] = [];
afterEach(() => made.splice(0).forEach(here => here.remove()));

const TABLES = ['lex_word', 'lex_stem', 'lex_tri'] as const;
const seqs = (here: World, table: string): number[] =>
  here.rows('sales', `SELECT rowid AS seq FROM ${table} ORDER BY 1`).map(({ seq }) => seq as number);
const found = async (here: World, text: string): Promise<string[]> =>
  (await here.do('searchRules', { scopes: ['sales'], text, include_proposals: true })).bundles.map(
    (one: { head: { ref: string } }) => one.head.ref,
  );

test('[RU84] the tables hold the newest version of every rule that is not rejected, and nothing else', async () => {
  const here = await stocked();
  made.push(here);
  const [old, refused, waiting] = [await confirmed(here), await proposed(here), await proposed(here)];
  const next = await proposed(here, { supersedes: old, valid_from: '2026-04-01' });
  await decide(here, next, { decision: 'confirm', version: 1, change: { keywords: ['Sonderposten'] } });
  await decide(here, refused, { decision: 'reject', version: 1, reason: 'no' });
  const numbers = [old, waiting, next].map(id => Number(id.slice(-4)));
  expect([seqs(here, 'lex_word'), seqs(here, 'lex_stem'), seqs(here, 'lex_tri')]).toEqual([numbers, numbers, []]);
  expect(here.rows('sales', 'SELECT * FROM lex_doc ORDER BY seq')).toEqual([
    { seq: numbers[0], status: 'superseded', valid_from: '2026-03-12', valid_until: '2026-04-01' },
    { seq: numbers[1], status: 'proposed', valid_from: '2026-03-12', valid_until: null },
    { seq: numbers[2], status: 'confirmed', valid_from: '2026-04-01', valid_until: null },
  ]);
  await decide(here, next, { decision: 'review', version: 2, change: { keywords: ['Restposten'] } });
  expect(here.rows('sales', `SELECT rowid AS seq FROM lex_word WHERE lex_word MATCH 'sonderposten'`)).toEqual([]);
  expect(here.rows('sales', `SELECT rowid AS seq FROM lex_word WHERE lex_word MATCH 'restposten'`)).toEqual([
    { seq: numbers[2] },
  ]);
});

test('[RU75] words of a rejected rule are offered nowhere', async () => {
  const here = await stocked();
  made.push(here);
  const variants = async (text: string) =>
    (await here.do('searchRules', { scopes: ['sales'], text, include_proposals: true })).query.variants as object;
  const id = await proposed(here, { statement: 'Zwieselbach liefert nur im Winter aus', keywords: [] });
  expect(await variants('Zwieselbahc')).toEqual({ zwieselbahc: ['zwieselbahc', 'zwieselbach'] });
  await decide(here, id, { decision: 'reject', version: 1, reason: 'no' });
  expect(await variants('Zwieselbahc')).toEqual({ zwieselbahc: ['zwieselbahc'] });
});

test('[RU84] another build fills them anew at the first search or write, a file without rows as well', async () => {
  const folder = (await stocked()).folder;
  const open = (lexical: Parameters<typeof lexicalSettings>[0]): World => {
    const here = world({ folder, analysis: createAnalysis(lexicalSettings(lexical)) });
    made.splice(0).forEach(one => one.close());
    made.push(here);
    return here;
  };
  let here = open(null);
  const id = await confirmed(here, { statement: 'Wartungspläne werden im Januar erneuert', keywords: [] });
  const refused = await proposed(here);
  await decide(here, refused, { decision: 'reject', version: 1, reason: 'no' });
  expect(await found(here, 'wartung')).toEqual([`rule/${id}@2`]);

  here = open({ features: { decompound: false, trigram: true } });
  expect(await found(here, 'artungspl')).toEqual([`rule/${id}@2`]);
  for (const table of TABLES) expect(seqs(here, table)).toEqual([Number(id.slice(-4))]);

  here.files
    .open('sales')
    .exec('DELETE FROM lex_word; DELETE FROM lex_stem; DELETE FROM lex_doc; DELETE FROM lex_meta');
  here = open(null);
  const next = await confirmed(here);
  expect(seqs(here, 'lex_word')).toEqual([id, next].map(one => Number(one.slice(-4))));
  expect(seqs(here, 'lex_tri')).toEqual([]);
  expect(await found(here, 'wartungsplan')).toEqual([`rule/${id}@2`]);
});

test('[RU71, RU72] what was replaced counts for its successor, however few rules are asked for', async () => {
  const here = await stocked();
  made.push(here);
  const old = await confirmed(here, { statement: 'Zwieselbach liefert nur im Winter aus', keywords: [] });
  const other = await confirmed(here, { statement: 'Lieferungen nach Norden gehen über Murnau', keywords: [] });
  const next = await confirmed(here, {
    statement: 'Murnau liefert nun selbst, und zwar Murnau allein',
    keywords: ['Murnau'],
    supersedes: old,
    valid_from: '2026-03-12',
  });
  const ask = async (limit: number) =>
    (await here.do('searchRules', { scopes: ['sales'], terms: ['Murnau', 'Zwieselbach'], limit })).bundles.map(
      ({ head }: { head: { ref: string; found_via: string[] } }) => [head.ref, head.found_via],
    );
  const all = await ask(10);
  expect(all.map(([ref]: [string]) => ref).sort()).toEqual([`rule/${other}@2`, `rule/${next}@2`].sort());
  expect(all.find(([ref]: [string]) => ref === `rule/${next}@2`)[1]).toEqual(['Murnau', 'Zwieselbach']);
  expect(await ask(1)).toEqual(all.slice(0, 1));
});
