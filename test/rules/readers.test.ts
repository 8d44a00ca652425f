import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { analysisWith, filledTo, found, progressOf, reopened, SLOWLY } from './filling.ts';
import { ANNA, confirmed, decide, proposed, stocked, type World, type WorldOptions } from './world.ts';

const made: World[] = [];
const kept = (here: World): World => (made.push(here), here);
afterEach(() => made.splice(0).forEach(here => here.remove()));

const threaded = async (options: WorldOptions = {}): Promise<World> =>
  kept(await stocked({ scopes: ['sales'], threadsFrom: 0, ...options }));

const TOPICS = ['Wartungspläne', 'Lieferzeiten', 'Rabattstaffel'];
async function filled(options: WorldOptions = {}): Promise<World> {
  const here = await threaded(options);
  for (const topic of TOPICS) await confirmed(here, { statement: `${topic} gelten ab Januar`, keywords: [] });
  return here;
}
const failures = (here: World) => here.reports.filter(({ event }) => event === 'scope.reading-failed');

test('[RU89] a thread answers as the event loop does, evidence included', async () => {
  const here = await filled();
  const ask = async (text: string, at = here) => {
    const { search_id: _, ...answer } = await at.do('searchRules', { scopes: ['sales'], text });
    return answer;
  };
  const questions = ['Wartung', 'lieferzeit januar', 'Rabatstaffel', 'nichts davon', 'RAL 9005'];
  const answers = [];
  for (const text of questions) answers.push(await ask(text));
  expect(failures(here)).toEqual([]);
  const loop = kept(reopened(here, { scopes: ['sales'] }));
  for (const [at, text] of questions.entries()) expect(await ask(text, loop)).toEqual(answers[at]);
  expect(answers.map(({ bundles }) => bundles.length)).toEqual([1, 3, 1, 0, 0]);
});

test('[RU89] what was acknowledged is seen by the next search and the next export', async () => {
  const here = await filled();
  for (let n = 0; n < 5; n++) {
    const id = await proposed(here, { statement: `Zwieselbach${n} liefert nur im Winter`, keywords: [] });
    expect(await found(here, `zwieselbach${n}`)).toEqual([`rule/${id}@1`]);
    await decide(here, id, { decision: n % 2 ? 'confirm' : 'reject', version: 1, reason: 'so' });
    expect(await found(here, `zwieselbach${n}`)).toEqual(n % 2 ? [`rule/${id}@2`] : []);
    const { files } = await here.do('exportScope', { scope: 'sales' }, ANNA, 'approval');
    const file = files.find(({ path }: { path: string }) => path === `sales/${id}.md`);
    expect(file.text).toContain(n % 2 ? '- Status: confirmed' : '- Status: rejected');
  }
  expect(failures(here)).toEqual([]);
});

test('[RU89, RU84] threads answer while tables are filled anew, and from the new ones afterwards', async () => {
  let here = await filled({ analysis: analysisWith() });
  const NEW = analysisWith({ decompound: false, trigram: true });
  here = kept(reopened(here, { scopes: ['sales'], analysis: NEW, pace: SLOWLY, threadsFrom: 0 }));
  expect([[], ['rule/sales-0001@2']]).toContainEqual(await found(here, 'artungspl'));
  await filledTo(here);
  expect(progressOf(here)).toBeNull();
  expect(await found(here, 'artungspl')).toEqual(['rule/sales-0001@2']);
  expect(failures(here)).toEqual([]);
});

test('[RU89] a search that nobody waits for ends, whether it is under way or waits', async () => {
  const here = await filled();
  const request = { text: 'Wartung', given: [], day: '2026-03-12', most: 5, proposals: false, explain: false };
  const gone = new AbortController();
  const asked = Array.from({ length: 4 }, () => here.search.lexical('sales', request, gone.signal));
  gone.abort(new Error('gone'));
  for (const one of await Promise.allSettled(asked))
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
  await expect(here.search.lexical('sales', request, gone.signal)).rejects.toThrow('gone');
  expect((await here.search.lexical('sales', request)).heads).toHaveLength(1);
});

test('[RU89] searches beyond those that may wait are refused and can be tried again', async () => {
  const here = await filled();
  const request = { text: 'Wartung', given: [], day: '2026-03-12', most: 5, proposals: false, explain: false };
  const asked = await Promise.allSettled(Array.from({ length: 300 }, () => here.search.lexical('sales', request)));
  const refused = asked.filter(one => one.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused) expect(one.reason).toMatchObject({ code: 'overloaded' });
  expect((await here.search.lexical('sales', request)).heads).toHaveLength(1);
});

test('[RU89] where no thread can read, the event loop answers and the log says so', async () => {
  const here = kept(reopened(await filled({ threadsFrom: Infinity }), { scopes: ['sales'], threadsFrom: 0 }));
  const path = join(here.folder, 'scopes', 'sales.sqlite');
  // The event loop has the file open, whatever is in its place since.
  here.files.open('sales').pragma('wal_checkpoint(TRUNCATE)');
  renameSync(path, `${path}.away`);
  writeFileSync(path, 'no database', { mode: 0o600 });
  expect(await found(here, 'Wartung')).toEqual(['rule/sales-0001@2']);
  expect(failures(here).length).toBeGreaterThan(0);
});
