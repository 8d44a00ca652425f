import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findInText, findInWindow, windowOf } from '../../src/rules/proposals/quote/find.ts';
import { locate, normalise, pieces } from '../../src/rules/proposals/quote/normalise.ts';
import { counterexample } from './counterexample.ts';

/** The contract's normalisation, spelled out step by step, one character at a time. */
function plainly(text: string): string {
  let spaced = '';
  for (const character of text.normalize('NFKC').toLowerCase()) {
    spaced += /\p{P}/u.test(character) ? ' ' : character;
  }
  return spaced
    .split(/\p{White_Space}+/u)
    .filter(word => word !== '')
    .join(' ');
}
const plainlyStands = (quote: string, text: string): boolean =>
  plainly(quote).length >= 20 && plainly(text).includes(plainly(quote));

/** Characters that normalisation changes, joins, drops or keeps on purpose. */
const NASTY = [
  'a',
  'B',
  'c',
  'Z',
  'é',
  'e\u0301',
  '\u0301',
  'ä',
  'A\u0308',
  'ß',
  'ẞ',
  'İ',
  'Σ',
  'ς',
  'ﬁ',
  'ﬃ',
  '①',
  'Ⅷ',
  '½',
  'ﷺ',
  '´',
  '¨',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\u00a0',
  '\u2003',
  '\u2028',
  '\u0085',
  '.',
  ',',
  '-',
  '–',
  '—',
  '‐',
  '"',
  '„',
  '“',
  '»',
  '’',
  "'",
  '`',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\ufeff',
  '−',
  '€',
  '$',
  '+',
  '1',
  '9',
  '漢',
  'か',
  '\u3099',
  'ｶ',
  'ﾞ',
  '가',
  '\u1100',
  '\u1161',
  '\u11a8',
  '\u0e33',
  '\u0ea1\u0eb3',
  '😀',
  '👩\u200d🚀',
  '\u{1d15e}',
  '\u{16d67}',
  '々',
  'ـ',
  'ﻼ',
  '्',
  'क',
  '़',
];
const text = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...NASTY), { minLength, maxLength }).map(parts => parts.join(''));

describe('the normal form', () => {
  test('[RU40] is the one the contract describes', async () => {
    expect(
      await counterexample(
        fc.property(fc.oneof(text(0, 40), fc.string({ unit: 'binary' })), value => normalise(value) === plainly(value)),
        2000,
      ),
    ).toBeUndefined();
  });

  test.each([
    ['Größe', 'GRÖSSE', false],
    ['Maße von A–B: „gut“', 'maße   von a b  gut', true],
    ['ﬁnal oﬀer', 'FINAL OFFER', true],
    ['Cafe\u0301 au lait', 'CAFÉ, au lait', true],
    ['line\r\nbreak', 'line break', true],
    ['fünf\u00a0Tage', 'fünf Tage', true],
    ['don’t', "don't", true],
    ['don’t', 'dont', false],
    ['soft\u00adhyphen', 'softhyphen', false],
    ['zero\u200bwidth', 'zerowidth', false],
    ['\ufeffmark', 'mark', false],
    ['5 − 3', '5 - 3', false],
    ['5 €', '5', false],
    ['a_b', 'a b', true],
    ['№ 5', 'no 5', true],
  ])('[RU40] %j and %j are the same: %s', (a, b, same) => {
    expect(normalise(a) === normalise(b)).toBe(same);
  });

  test('[RU42] no character outside the known ones changes with what stands before it', () => {
    const composed = new Set<string>();
    for (const character of everyCharacter())
      for (const part of [...character.normalize('NFD')].slice(1)) composed.add(part);
    const unsafe = Array.from(everyCharacter()).filter(character => {
      if (pieces(`x${character}`).next().value!.end > 1) return false;
      const first = [...character.normalize('NFKD')][0]!;
      return /\p{M}/u.test(first) || composed.has(first);
    });
    expect(composed.size).toBeGreaterThan(100);
    expect(unsafe).toEqual([]);
  });
});

function* everyCharacter(): Generator<string> {
  for (let point = 0; point < 0x110000; point++)
    if (point < 0xd800 || point > 0xdfff) yield String.fromCodePoint(point);
}

describe('a quote in a text', () => {
  const around = fc.record({ before: text(0, 12), core: text(0, 30), after: text(0, 12) });

  test('[RU40] is found exactly when its normal form is part of the text', async () => {
    const seen = { found: 0, missing: 0 };
    const rewritten = (value: string) =>
      fc.constantFrom(
        value,
        value.toUpperCase(),
        value.normalize('NFD'),
        value.normalize('NFKC'),
        value.replaceAll(' ', '\n '),
        value.replaceAll('-', '—'),
        value.replaceAll('"', '“'),
        value.replaceAll('\u00ad', ''),
        value.replaceAll('−', '-'),
        `„${value}“`,
        value.slice(1),
        value.replace('B', 'b b'),
      );
    expect(
      await counterexample(
        fc.property(
          around.chain(({ before, core, after }) =>
            rewritten(core).map(quote => ({ quote, whole: before + core + after })),
          ),
          ({ quote, whole }) => {
            const expected = plainlyStands(quote, whole);
            seen[expected ? 'found' : 'missing']++;
            return (findInText(quote, whole) !== undefined) === expected;
          },
        ),
        4000,
      ),
    ).toBeUndefined();
    expect(Math.min(seen.found, seen.missing)).toBeGreaterThan(100);
  });

  test('[RU42] stands where it is said to stand, and nowhere narrower', async () => {
    expect(
      await counterexample(
        fc.property(around, ({ before, core, after }) => {
          const whole = before + core + after;
          const span = findInText(core, whole);
          if (!span) return true;
          const marked = whole.slice(span.start, span.end);
          const wanted = plainly(core);
          const characters = [...marked];
          const narrower = [characters.slice(1).join(''), characters.slice(0, -1).join('')];
          // A mark belongs to the character before it, so that a narrower text may mean another one.
          return (
            plainly(marked).includes(wanted) && narrower.every(less => !plainly(less).includes(wanted) || joins(marked))
          );
        }),
        4000,
      ),
    ).toBeUndefined();
  });
  const joins = (marked: string): boolean =>
    Array.from(pieces(marked)).some(({ start, end }) => Array.from(marked.slice(start, end)).length > 1);

  test('[RU42] every unit of a normal form is followed back to the piece it comes from', async () => {
    expect(
      await counterexample(
        fc.property(text(1, 30), whole => {
          const form = normalise(whole);
          return Array.from(form, (_, at) => at).every(at => {
            if (at >= form.length) return true;
            const { start, end } = locate(whole, { start: at, end: at + 1 });
            const unit = form[at]!;
            const origin = whole.slice(start, end);
            if (unit === ' ') return /[\p{P}\p{White_Space}]/u.test(origin.normalize('NFKC'));
            return plainly(origin).includes(unit) || /[σς]/.test(unit);
          });
        }),
        2000,
      ),
    ).toBeUndefined();
  });

  test('[RU42] the first place counts, and its quotation marks stay outside', () => {
    const whole = 'He said: „We ship on  Mondays\nonly — as agreed.“ We ship on Mondays only - as agreed.';
    const span = findInText('we ship on mondays only, as agreed', whole)!;
    expect(whole.slice(span.start, span.end)).toBe('We ship on  Mondays\nonly — as agreed');
  });

  test.each([
    ['nineteen characters', 'x nineteen characters x', false],
    ['twenty characters it', 'x twenty characters it x', true],
    ['twenty characters it...', 'twenty characters it', true],
    ['nineteen characters.', 'nineteen characters.', false],
  ])('[RU40] its normal form has at least 20 characters: %j in %j: %s', (quote, whole, found) => {
    expect(findInText(quote, whole) !== undefined).toBe(found);
  });
});

describe('a quote in a meeting', () => {
  const segment = (start_s: number, said: string) => ({ start_s, speaker: 'Ada', text: said });

  test('[RU41] the window reaches 120 seconds each way, both ends included', () => {
    expect(windowOf(300)).toEqual({ from: 180, until: 420 });
  });

  test('[RU41] segments are joined by spaces, without speakers', () => {
    const apart = findInWindow('a quote that goes on', [segment(0, 'a quote that'), segment(5, 'goes on')]);
    expect(apart).toEqual([
      { start: 0, end: 12 },
      { start: 0, end: 7 },
    ]);
    expect(findInWindow('a quote thatgoes on', [segment(0, 'a quote that'), segment(5, 'goes on')])).toBeUndefined();
  });

  test('[RU42] each segment knows its part of the quote', () => {
    const window = [
      segment(0, 'Before. From April on'),
      segment(4, '(laughs)'),
      segment(9, 'we ship on Mondays. After.'),
    ];
    const marks = findInWindow('from april on laughs we ship on mondays', window)!;
    expect(marks.map((mark, at) => mark && window[at]!.text.slice(mark.start, mark.end))).toEqual([
      'From April on',
      '(laughs)',
      'we ship on Mondays',
    ]);
    expect(findInWindow('from april on we ship on mondays', window)).toBeUndefined();
    expect(findInWindow('nothing of this was ever said', [])).toBeUndefined();
  });

  test('[RU41, RU42] the parts together are the quote, whatever the segments', async () => {
    expect(
      await counterexample(
        fc.property(
          fc.array(text(1, 12), { minLength: 1, maxLength: 6 }),
          fc.nat(8),
          fc.nat(60),
          (texts, skip, length) => {
            const window = texts.map((one, at) => segment(at, one));
            const quote = texts.join(' ').slice(skip, skip + length);
            const marks = findInWindow(quote, window);
            if ((marks !== undefined) !== plainlyStands(quote, texts.join(' '))) return false;
            if (!marks) return true;
            const parts = window.flatMap(({ text: said }, at) =>
              marks[at] ? [said.slice(marks[at].start, marks[at].end)] : [],
            );
            return plainly(parts.join(' ')).includes(plainly(quote));
          },
        ),
        2000,
      ),
    ).toBeUndefined();
  });
});
