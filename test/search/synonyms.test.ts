import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { retrieve } from '../../src/search/index.ts';
import type { LaneFilter } from '../../src/search/ports.ts';
import { synonymsOfText } from '../../src/search/synonyms/index.ts';
import { OPEN, readJson, started } from '../settings/reading.ts';
import { instancePage, skillPage, world } from '../world.ts';
import { note, openWorld, put, type World } from '../storage/world.ts';
import { EVERYTHING } from './lanes.ts';

let w: World;
beforeEach(async () => {
  w = await openWorld();
});
afterEach(() => w.end());

const pageId = (id: string): string => `markdown/instances/note/${id}.md`;
async function write(pages: Record<string, string>, header = ''): Promise<void> {
  await w.storage.pages.commit({
    puts: Object.entries(pages).map(([id, text]) => put(pageId(id), note(id, text, header))),
  });
}
async function ask(text: string, groups: string[][] = [], filter: Partial<LaneFilter> = {}, minCoverage = 0) {
  const { storage } = w;
  const found = await retrieve(
    { lexical: storage.lexical, fusion: 'score', minSimilarity: null, synonyms: synonymsOfText(groups) },
    { phrasings: [text], granularity: 'page', k: 10, filter: { ...EVERYTHING, ...filter }, minCoverage },
  );
  return { ...found, ids: found.hits.map(hit => hit.pageId.slice('markdown/instances/note/'.length, -3)) };
}
const FILLER = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map(id => [id, `Der Kran ${id} steht im Hof.`]));

describe('synonyms', () => {
  test('[SW11] a block that says the same with another word of the base list is found, after those with the word', async () => {
    await write({ ...FILLER, other: 'Unsere Offerte gilt vier Wochen.', word: 'Unser Angebot gilt vier Wochen.' });
    expect((await ask('Angebote')).ids).toEqual(['word', 'other']);
    expect((await ask('Offerten')).ids).toEqual(['other', 'word']);
    expect((await ask('quotation')).ids.toSorted()).toEqual(['other', 'word']);
  });

  test('[SW11] a synonym counts less than the word also where it is much rarer', async () => {
    const common = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`k${at}`, `Kosten Nummer ${at}.`]));
    await write({ ...FILLER, ...common, rare: 'Preis Nummer zwei.' });
    const { ids } = await ask('Kosten');
    expect(ids).toHaveLength(10);
    expect(ids).not.toContain('rare');
    expect((await ask('Kosten', [], { pageId: pageId('rare') })).ids).toEqual(['rare']);
  });

  test('[SW11] who says the word gains nothing by its synonyms', async () => {
    await write({ ...FILLER, one: 'Das Angebot gilt.', two: 'Das Angebot, die Offerte, the quote gilt.' });
    const { hits } = await ask('Angebot');
    const plain = await w.storage.lexical.ask({ text: 'Angebot' }, EVERYTHING, 10);
    expect(hits.map(({ pageId: id, score }) => [id, score])).toEqual(
      plain.hits.map(({ pageId: id, score }) => [id, score]),
    );
    expect(hits).toHaveLength(2);
  });

  test('[SW11] groups of the configuration hold words and phrases; of a phrase a block has all words', async () => {
    const groups = [['Hubwagen', 'Ameise', 'pallet truck']];
    await write({
      ...FILLER,
      ant: 'Die Ameise ist defekt.',
      truck: 'The truck carries a pallet.',
      half: 'The truck is red.',
    });
    expect((await ask('Hubwagen')).ids).toEqual([]);
    expect((await ask('Wo ist der Hubwagen?', groups)).ids.toSorted()).toEqual(['ant', 'truck']);
    expect((await ask('pallet truck', groups)).ids).toEqual(['truck', 'ant', 'half']);
    expect((await ask('truck', groups)).ids.toSorted()).toEqual(['half', 'truck']);
  });

  test('[SW11] words of two languages that share a stem are not the same', async () => {
    await write({ ...FILLER, said: 'Der Auftrag liegt vor.' });
    expect((await ask('Orden')).ids).toEqual([]);
    expect((await ask('orders')).ids).toEqual(['said']);
  });

  test('[SW11] a word with synonyms is spelt as it is meant', async () => {
    await write({ ...FILLER, near: 'Offerta, sagt Rossi.', other: 'Das Angebot gilt.' });
    const { ids, corrections } = await ask('Offerte');
    expect(corrections).toEqual([]);
    expect(ids).toEqual(['other']);
  });

  test('[SW11] what was said otherwise covers the word, and is told', async () => {
    await write({ ...FILLER, other: 'Die Lieferfrist für Haken beträgt zehn Tage.' });
    const { ids, synonyms, hits } = await ask('delivery time Haken', [], {}, 0.9);
    expect(ids).toEqual(['other']);
    expect(synonyms).toEqual([
      { word: 'delivery', also: ['lieferfrist'] },
      { word: 'time', also: ['lieferfrist'] },
    ]);
    expect(hits[0]!.evidence.lexical!.matched).toEqual(['delivery', 'haken', 'time']);
  });

  test('[SW11] [SR17] synonyms that stand only on hidden pages are not told', async () => {
    await write({ ...FILLER, seen: 'Das Angebot gilt.' });
    await write({ hidden: 'Die Offerte an Rossi. A quote.' }, 'acl:\n  read: [board]\n');
    const { accessClass } = (await w.storage.index.page(pageId('seen')))!;
    const scope = { all: false, allowed: [accessClass], owned: [], ownerKeys: [] };
    expect((await ask('quotation', [], { scope })).synonyms).toEqual([{ word: 'quotation', also: ['angebot'] }]);
    expect((await ask('quotation')).synonyms).toEqual([
      { word: 'quotation', also: expect.arrayContaining(['angebot', 'offerte', 'quote']) as string[] },
    ]);
  });
});

test('[SW11] a server without rules takes groups from search.synonyms', () => {
  const groups = [['Hubwagen', 'Ameise']];
  expect(started(readJson({ search: { synonyms: groups } }, OPEN)).retrieval.synonyms).toEqual(groups);
  expect(started(readJson({}, OPEN)).retrieval.synonyms).toEqual([]);
});

test('[SW11] an agent is told which synonyms pages have', async () => {
  const server = await world();
  try {
    await server.put({
      'markdown/skills/note.md': skillPage('note'),
      'markdown/instances/note/a.md': instancePage('note', 'a', {}, 'Die Offerte gilt vier Wochen.\n'),
    });
    const { hits, explain } = await server.admin.call('search', { q: 'Angebot', explain: true });
    expect(hits[0]).toMatchObject({ page_id: 'markdown/instances/note/a.md', explain: { lexical: { coverage: 1 } } });
    expect(explain.synonyms).toEqual([{ word: 'angebot', also: expect.arrayContaining(['offerte']) as string[] }]);
  } finally {
    await server.end();
  }
});
