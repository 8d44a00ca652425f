import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCompound } from '../../src/search/analysis/compounds.ts';
import { editDistance } from '../../src/search/analysis/distance.ts';
import { languageOf } from '../../src/search/analysis/language.ts';
import { germanWords } from '../../src/search/analysis/lexicon.ts';
import { runsOf } from '../../src/search/analysis/runs.ts';
import { blockAnalyser, fold, keysOfWord, questionOf, slipsBetween, type BlockText } from '../../src/search/index.ts';

const NO_TEXT = { title: '', name: '', description: '', headings: '', body: '', language: null } as const;
const keysOf = (block: BlockText): string[] => blockAnalyser()(block).keys.map(({ text }) => text);
const keysOfBody = (body: string): string[] => keysOf({ ...NO_TEXT, body });
/** Whether a block with the text answers some of the question. */
function answers(body: string, text: string): boolean {
  const keys = new Set(keysOfBody(body));
  return questionOf({ text }).wanted.some(
    ({ any, all }) => any.some(key => keys.has(key)) || (all.length > 0 && all.every(key => keys.has(key))),
  );
}

describe('spelling', () => {
  test.each([
    ['Öl', 'oel', 'OL'],
    ['Müller', 'Mueller', 'muller'],
    ['Straße', 'STRASSE', 'strasse'],
    ['café', 'cafe\u0301', 'CAFE'],
    ['ＡＢＣ', 'abc', 'Abc'],
    ['łódź', 'lodz', 'ŁÓDŹ'],
  ])('[SW1] %s, %s and %s are one word', (...words) => {
    expect(new Set(words.map(fold)).size).toBe(1);
  });

  test('[SW1] ue after a, e and q is no umlaut', () => {
    expect(['neue', 'bauen', 'quelle'].map(fold)).toEqual(['neue', 'bauen', 'quelle']);
  });

  test.each([
    ['Die Wartungen der Maschinen sind fällig.', 'Wartung Maschine'],
    ['The machines are running in the factories.', 'machine factory'],
    ['Das Haus steht dort.', 'Häuser'],
    ['valve', 'valves'],
    ['Pumpe', 'Pumpen'],
  ])('[SW2] "%s" is found by other forms: %s', (body, text) => {
    for (const word of text.split(' ')) expect(answers(body, word)).toBe(true);
  });

  test('[SW2] the language is told by small words and umlauts', () => {
    expect(languageOf(runsOf('Wann ist die Wartung der Pumpe?'))).toBe('de');
    expect(languageOf(runsOf('When is the pump serviced?'))).toBe('en');
    expect(languageOf(runsOf('Schmieröl'))).toBe('de');
    expect(languageOf(runsOf('sensor 42'))).toBeNull();
  });
});

describe('codes', () => {
  test.each([
    ['Farbe RAL 9005 matt', ['RAL 9005', 'ral-9005', 'RAL9005'], ['RAL 9006']],
    ['Fehler ESC-4012 am Band', ['ESC-4012', 'esc 4012', 'ESC4012'], ['ESC-4013', '4O12']],
    ['release 1.0.21 is out', ['1.0.21'], ['1.0.2', '21.0.1', '1.0.22']],
    ['see customer::acme', ['customer::acme', 'acme'], ['customer::acne']],
    ['Spannung 24 V am Eingang', ['24V', '24 V'], ['24 A']],
    ['eine E-Mail-Adresse', ['Email', 'e-mail', 'Adresse', 'E-Mail-Adresse'], []],
  ])('[SW3] %s', (body, found, missed) => {
    for (const text of found) expect([text, answers(body, text)]).toEqual([text, true]);
    const keys = new Set(keysOfBody(body));
    for (const text of missed) {
      const code =
        questionOf({ text }).wanted.find(({ word }) => word.includes(' ')) ?? questionOf({ text }).wanted[0]!;
      const whole = [...code.any, ...code.all];
      expect([text, whole.every(key => keys.has(key))]).toEqual([text, false]);
    }
  });
});

describe('compounds', () => {
  test.each([
    ['wartungsplan', 'wartung plan'],
    ['etikettensensor', 'etikett sensor'],
    ['druckluftkompressor', 'druckluft kompressor'],
    ['rechnungsnummer', 'rechnung nummer'],
    ['schulhaus', 'schule haus'],
    ['hydraulikpumpe', 'hydraulik pumpe'],
    ['kühlmitteltemperatur', 'kühl mittel temperatur'],
    ['dichtungsring', 'dichtung ring'],
  ])('[SW4] %s is %s', (word, parts) => {
    expect(splitCompound(word, germanWords()).join(' ')).toBe(parts);
    expect(keysOfBody(`der ${word} ist da`)).toEqual(expect.arrayContaining(keysOfWord(word).slice(0, 1)));
    for (const part of parts.split(' ')) expect(answers(`der ${word} ist da`, part)).toBe(true);
    for (const part of parts.split(' ')) expect(answers(`das ist ${part}`, word)).toBe(true);
  });

  test.each([
    'universität',
    'karriere',
    'maschine',
    'temperatur',
    'entwicklung',
    'meanwhile',
    'xyzplanqqq',
    'planqqqqqq',
  ])('[SW4] %s is left whole', word => {
    expect(splitCompound(word, germanWords())).toEqual([]);
  });

  test.each(['Auftragsbestätigung', 'The Auftragsbestätigung was not sent to us'])(
    '[SW4] the parts find "%s" on a page of any name and in a text of any language (S10)',
    body => {
      for (const name of ['a', 'to', 'order-1', 'brief'])
        expect(keysOf({ ...NO_TEXT, name, body })).toEqual(
          expect.arrayContaining([...keysOfWord('bestätigung').slice(0, 1), ...keysOfWord('auftrag').slice(0, 1)]),
        );
    },
  );

  test('[SW4] the whole weighs more than its parts', () => {
    const [whole, ...parts] = questionOf({ text: 'Wartungsplan' }).wanted;
    expect(whole!.word).toBe('wartungsplan');
    expect(parts.map(({ word }) => word)).toEqual(['wartung', 'plan']);
    for (const part of parts) expect(part.share).toBeLessThan(whole!.share);
  });
});

describe('question', () => {
  const words = (text: string): string[] => questionOf({ text }).wanted.map(({ word }) => word);

  test('[SW5] grammar words count only where there is nothing else', () => {
    expect(words('Wie viele Pumpen hat die Halle?')).toEqual(['pumpen', 'halle']);
    expect(words('How many pumps does the hall have?')).toEqual(['pumps', 'hall']);
    expect(words('Wer ist das?')).toEqual(['wer', 'ist', 'das']);
  });

  test('[SW7] the end of an endless text does not count', () => {
    expect(words(`${'pumpe '.repeat(4000)}ventil`)).toEqual(['pumpe']);
    expect(questionOf({ text: 'pumpe pumpe ventil' }).wanted.map(({ times }) => times)).toEqual([2, 1]);
  });

  test('[SW6] a block has the same keys whatever was analysed before', () => {
    const body = fc.array(fc.constantFrom('Wartungsplan', 'pumps', 'der', 'the', 'RAL 9005', '1.0.21', 'Öl'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(body), body, (before, last) => {
        const used = blockAnalyser();
        for (const each of before) used({ ...NO_TEXT, body: each.join(' ') });
        const text = { ...NO_TEXT, title: last.join(' '), body: last.join(' ') };
        const terms = (analyse: typeof used) => {
          const { keys, weights, length } = analyse(text);
          return { length, weights, keys: keys.map(key => key.text) };
        };
        expect(terms(used)).toEqual(terms(blockAnalyser()));
      }),
    );
  });

  test('[SW7] any Unicode text is analysed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        for (const { any, all } of questionOf({ text }).wanted) {
          expect([...any, ...all].length).toBeGreaterThan(0);
        }
        for (const key of keysOfBody(text)) expect(key).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

test('[SW8] an edit is a letter more, less, other, or two that changed places', () => {
  expect(editDistance('pumpe', 'pumpe', 2)).toBe(0);
  for (const other of ['umpe', 'pumppe', 'pumpa', 'upmpe']) expect(editDistance('pumpe', other, 2)).toBe(1);
  expect(editDistance('pumpe', 'lampe', 2)).toBe(2);
  expect(editDistance('pumpe', 'ventil', 2)).toBe(3);
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, most) => {
      expect(editDistance(a, b, most)).toBe(Math.min(most + 1, slowDistance(a, b)));
    }),
  );
});

test.each([
  ['sensro', 'sensor', 'sensir', 'swapped letters'],
  ['ventill', 'ventil', 'ventilg', 'a letter doubled'],
  ['sensot', 'sensor', 'sensok', 'the next key'],
  ['wartunk', 'wartung', 'wartunm', 'a like sound'],
  ['retmus', 'rethmus', 'retpmus', 'a silent letter'],
])('[SW8] %s is likelier meant for %s than for %s: %s', (typed, meant, other) => {
  expect(slipsBetween(typed, meant)).toBeLessThan(slipsBetween(typed, other));
});

test('[SW8] slips are edits, none of which counts more than one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'd', 'e', 't', 'x', '\u00e9'), maxLength: 7 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const slips = slipsBetween(a, b);
      expect(slips).toBeCloseTo(slipsBetween(b, a));
      expect(slips).toBeLessThanOrEqual(slowDistance(a, b));
      expect(slips === 0).toBe(a === b);
    }),
  );
});

/** The same by the definition. */
function slowDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return slowDistance(restA, restB);
  const ways = [slowDistance(restA, b), slowDistance(a, restB), slowDistance(restA, restB)];
  if (a.length > 1 && a[0] === b[1] && a[1] === b[0]) ways.push(slowDistance(a.slice(2), b.slice(2)));
  return 1 + Math.min(...ways);
}
