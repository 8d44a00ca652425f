import { describe, expect, test } from 'vitest';
import type { VocabularyOfScope } from '../../src/rules/search/lexical/ports.ts';
import { pruned } from '../../src/rules/search/lexical/prune.ts';

const vocabulary = (size: number, words: Readonly<Record<string, number>>): VocabularyOfScope => ({
  size,
  frequencies: async (_table, asked) =>
    new Map(asked.flatMap(word => (words[word] === undefined ? [] : [[word, words[word]]]))),
  beginning: async () => [],
});
const phrases = (...words: string[]): string[][] => words.map(word => word.split(' '));

describe('common words', () => {
  const words = { zebra: 3, lager: 3000, preis: 30_000, kunde: 60_000, unser: 90_000 };

  test('[RU88] are left out of a way where rarer ones lead to enough rules', async () => {
    const big = vocabulary(100_000, words);
    expect(await pruned({ word: phrases('kunde', 'zebra', 'lager', 'preis') }, big)).toEqual({
      word: phrases('zebra', 'lager', 'preis'),
    });
    expect(await pruned({ stem: phrases('lager', 'kunde') }, big)).toEqual({ stem: phrases('lager') });
    expect(await pruned({ word: phrases('unser lager', 'kunde') }, big)).toEqual({ word: phrases('unser lager') });
  });

  test('[RU88] stay where they are all there is, and in scopes that are not large', async () => {
    const big = vocabulary(100_000, words);
    expect(await pruned({ word: phrases('kunde') }, big)).toEqual({ word: phrases('kunde') });
    expect(await pruned({ word: phrases('kunde', 'zebra') }, big)).toEqual({ word: phrases('kunde', 'zebra') });
    expect(await pruned({ word: phrases('kunde', 'unbekannt') }, big)).toEqual({ word: phrases('kunde', 'unbekannt') });
    const all = { word: phrases('kunde', 'lager', 'preis'), stem: [], tri: phrases('kunde') };
    expect(await pruned(all, vocabulary(1999, words))).toBe(all);
  });

  test('[RU88] that stand in more than half of all rules are left out sooner', async () => {
    const some = vocabulary(10_000, { zebra: 300, lager: 400, preis: 4900, regel: 5001 });
    expect(await pruned({ word: phrases('regel', 'preis', 'lager') }, some)).toEqual({
      word: phrases('preis', 'lager'),
    });
    expect(await pruned({ word: phrases('regel', 'lager') }, some)).toEqual({ word: phrases('regel', 'lager') });
    expect(await pruned({ word: phrases('zebra', 'regel', 'lager') }, some)).toEqual({
      word: phrases('zebra', 'lager'),
    });
  });
});
