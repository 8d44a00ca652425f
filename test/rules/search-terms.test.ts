import { describe, expect, test } from 'vitest';
import { createAnalysis } from '../../src/rules/search/lexical/analysis.ts';
import type { VocabularyOfScope } from '../../src/rules/search/lexical/ports.ts';
import { variantsOf } from '../../src/rules/search/lexical/query.ts';
import { readQuery } from '../../src/rules/search/lexical/read-query.ts';
import { lexicalSettings, type GivenLexical } from '../../src/rules/search/lexical/settings.ts';
import { codesIn } from '../../src/rules/search/lexical/words.ts';

/** A scope of a hundred rules with these words in so many of them. */
const vocabulary = (words: Readonly<Record<string, number>> = {}): VocabularyOfScope => ({
  size: 100,
  frequencies: async (_table, asked) =>
    new Map(asked.flatMap(word => (words[word] === undefined ? [] : [[word, words[word]]]))),
  beginning: async letters =>
    Object.entries(words)
      .filter(([word]) => word.startsWith(letters))
      .map(([word, rules]) => ({ word, rules })),
});

interface Asked {
  readonly given?: string[];
  readonly words?: Readonly<Record<string, number>>;
  readonly lexical?: GivenLexical;
  readonly synonyms?: string[][];
}
const read = (text: string | undefined, { given = [], words, lexical, synonyms }: Asked = {}) =>
  readQuery(createAnalysis(lexicalSettings(lexical ?? null, ['de', 'en'], synonyms)), vocabulary(words), text, given);
const names = async (text: string | undefined, asked?: Asked): Promise<string[]> =>
  (await read(text, asked)).terms.map(({ name }) => name);
const variants = async (given: string, asked?: Asked): Promise<Record<string, string[]>> =>
  Object.fromEntries(variantsOf(await read(undefined, { ...asked, given: [given] })));

describe('terms', () => {
  test('[RU70] words of the text without stop words, once each, twelve at most', async () => {
    expect(await names('What is the delivery time of the Hook-Rails? Delivery!')).toEqual([
      'delivery',
      'time',
      'hook',
      'rails',
    ]);
    expect(await names('Wie lange ist die Lieferzeit für Regale?')).toEqual(['lange', 'lieferzeit', 'regale']);
    expect(
      await names(Array.from({ length: 20 }, (_, at) => `wort${'abcdefghijklmnopqrst'[at]}`).join(' ')),
    ).toHaveLength(12);
    expect(await names('the and of — … ¿')).toEqual([]);
  });

  test('[RU70] given terms are phrases, come first and count up to twenty', async () => {
    const given = Array.from({ length: 18 }, (_, at) => `given term ${at}`);
    expect(await names('one two three four', { given: ['lead time', 'Regal', '—'] })).toEqual([
      'lead time',
      'Regal',
      'one',
      'two',
      'three',
      'four',
    ]);
    expect(await names('one two three four', { given })).toHaveLength(20);
  });

  test('[RU82] codes and measures stand in one spelling and come first', async () => {
    expect(await names('Die Farbe RAL 9005 und 20 mm Platten')).toEqual([
      'ral9005',
      '20mm',
      'farbe',
      'ral',
      '9005',
      '20',
      'mm',
      'platten',
    ]);
    expect(await names('RAL-9005', { lexical: { features: { normalize: false } } })).toEqual(['ral', '9005']);
    expect(codesIn('RAL 9005, DIN-A4 and 5 GB/s; 24V, a 5 and IN 2026 we saw 3.5 things')).toEqual([
      'ral9005',
      'a4',
      '5gb',
      '24v',
      'in2026',
    ]);
  });

  test('[RU70] spellings, endings and codes are looked for as well', async () => {
    const plain = { lexical: { features: { decompound: false, synonyms: false } } };
    expect(await variants('Größen', plain)).toEqual({ Größen: ['größen', 'groessen', 'größ'] });
    expect((await variants('Loesung', plain))['Loesung']).toContain('lösung');
    expect(await variants('orders', plain)).toEqual({ orders: ['orders', 'order'] });
    expect(await variants('bus', plain)).toEqual({ bus: ['bus'] });
    expect(await variants('RAL 9005', plain)).toEqual({ 'RAL 9005': ['ral 9005', 'ral9005'] });
    expect((await variants('RAL9005', plain))['RAL9005']).toContain('ral 9005');
  });

  test('[RU82] compounds are looked for by their parts', async () => {
    expect((await variants('Wartungsplan'))['Wartungsplan']).toEqual(expect.arrayContaining(['wartung', 'plan']));
    const off = { lexical: { features: { decompound: false } } };
    expect((await variants('Wartungsplan', off))['Wartungsplan']).not.toContain('plan');
  });

  test('[RU82] a word that no rule has is looked for as the nearest ones that some have', async () => {
    const words = { palette: 9, paletten: 4, palast: 50, lieferzeit: 3 };
    expect((await variants('Palwtte', { words }))['Palwtte']).toEqual(['palwtte', 'palwtt', 'palette']);
    expect((await variants('palette', { words }))['palette']).toEqual(['palette', 'palett']);
    expect((await variants('liefrezeitt', { words }))['liefrezeitt']).toContain('lieferzeit');
    const off = { words, lexical: { features: { fuzzy: false } } };
    expect((await variants('Palwtte', off))['Palwtte']).not.toContain('palette');
    expect((await variants('Palwtte', { words, lexical: { max_fuzzy_terms: 0 } }))['Palwtte']).not.toContain('palette');
  });

  test('[RU82] synonyms stand under the words that they are for, those of the configuration first; a given phrase has them as a whole', async () => {
    const synonyms = [['Paket', 'Sendung', 'small parcel']];
    expect(variantsOf(await read('Wann kommt das Paket?', { synonyms }))).toContainEqual([
      '~paket',
      ['sendung', 'small parcel'],
    ]);
    expect(await variants('lead time')).toMatchObject({ '~lead time': expect.arrayContaining(['lieferzeit']) });
    expect(Object.keys(await variants('price list'))).toEqual(['price list']);
    expect(Object.keys(await variants('long delivery time'))).toEqual(['long delivery time']);
    const off = { lexical: { features: { synonyms: false } } };
    expect(Object.keys(await variants('lead time', off))).toEqual(['lead time']);
  });
});

describe('long texts', () => {
  const MAIL = `Von: Ada <ada@example.com>
Betreff: Anfrage
Guten Tag Frau Berg,

vielen Dank für das nette Gespräch gestern, das Wetter war schön und die Fahrt angenehm. Wir hätten gern gewusst, ob die
Lieferzeit für Hakenschienen in RAL 9005 inzwischen kürzer ist. Unser Kunde braucht die Hakenschienen dringend, und ohne
Lieferzeit können wir ihm kein Angebot machen. Letzte Woche haben wir schon einmal danach gefragt, leider ohne Antwort.

Mit freundlichen Grüßen
Ada Beispiel
Hakenstraße 1, 12345 Musterstadt`;
  const words = {
    lieferzeit: 2,
    hakenschienen: 1,
    ral9005: 1,
    angebot: 20,
    kunde: 60,
    woche: 40,
    wetter: 1,
    dank: 80,
    musterstadt: 1,
  };

  test('[RU83] are asked by their most characteristic words, without what frames a mail', async () => {
    const found = await names(MAIL, { words, lexical: { max_key_terms: 4 } });
    expect(found).toEqual(expect.arrayContaining(['ral9005', 'lieferzeit', 'hakenschienen']));
    expect(found).toHaveLength(4);
    expect(found).not.toContain('musterstadt');
    expect(found).not.toContain('dank');
  });

  test('[RU83] words that no rule has are none of them, but for compounds of known parts', async () => {
    expect(await names(MAIL, { words: {} })).toEqual([]);
    const long = `${'Wartungsplan Zebra '.repeat(14)}`;
    expect(await names(long, { words: { wartung: 3, plan: 5 } })).toEqual(['wartungsplan']);
  });

  test('[RU83] only beyond the configured length, and where they are on', async () => {
    const text = 'Lieferzeit Zebra Giraffe';
    expect(await names(text, { words })).toEqual(['lieferzeit', 'zebra', 'giraffe']);
    expect(await names(text, { words, lexical: { long_text_tokens: 2 } })).toEqual(['lieferzeit']);
    const off = { long_text_tokens: 2, features: { keyterms: false } };
    expect(await names(text, { words, lexical: off })).toEqual(['lieferzeit', 'zebra', 'giraffe']);
  });
});
