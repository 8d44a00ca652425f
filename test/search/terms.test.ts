import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snippetOf, termsOf } from '../../src/search/index.ts';

const words = (text: string): string[][] => termsOf(text).map(term => [...term.words]);

describe('terms', () => {
  test('[SR2] codes and ids stay together', () => {
    expect(words('BENCH-100821')).toEqual([['bench', '100821']]);
    expect(words('customer::acme')).toEqual([['customer', 'acme']]);
    expect(words('1.0.21 "--error-on-warnings"')).toEqual([
      ['1', '0', '21'],
      ['error', 'on', 'warnings'],
    ]);
    expect(words("don't GB/s")).toEqual([
      ['don', 't'],
      ['gb', 's'],
    ]);
  });

  test('[SR2] an endless run is looked for by its beginning', () => {
    expect(words('[[a'.repeat(100_000))).toEqual([Array(24).fill('a')]);
  });

  test('[SR2] a term counts once', () => {
    expect(words('Sensor sensor SENSOR')).toEqual([['sensor']]);
  });

  test('[SR1] text without a letter or digit has no terms', () => {
    expect(words('"(*) -- ::')).toEqual([]);
    expect(words('')).toEqual([]);
  });

  test('[SR1] any Unicode string is taken', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        for (const term of termsOf(text)) {
          expect(term.words.length).toBeGreaterThan(0);
          for (const word of term.words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}\p{Co}]+$/u);
        }
      }),
    );
  });
});

describe('snippet', () => {
  test('[SR5] short text is the snippet', () => {
    expect(snippetOf('  a short one\n', ['short'])).toBe('a short one');
  });

  test('[SR5] long text is cut around the first term', () => {
    const text = `${'lorem '.repeat(100)}Etikettensensor ${'ipsum '.repeat(100)}`;
    const snippet = snippetOf(text, ['etikettensensor']);
    expect(snippet).toContain('Etikettensensor');
    expect(snippet.startsWith('…')).toBe(true);
    expect(snippet.endsWith('…')).toBe(true);
    expect(snippet.length).toBeLessThanOrEqual(202);
  });

  test('[SR5] long text is cut where most of the words stand, in whatever form', () => {
    const text = `Eine Pumpe. ${'lorem '.repeat(100)}Die Pumpen der Häuser RAL 9005 laufen. ${'ipsum '.repeat(100)}`;
    expect(snippetOf(text, ['pump', 'haus', 'ral 9005'])).toContain('Die Pumpen der Häuser RAL 9005');
    expect(snippetOf(text, ['pump'])).toMatch(/^Eine Pumpe/);
    expect(snippetOf(text, ['unheard'])).toMatch(/^Eine Pumpe/);
  });

  test('[SR5] no snippet cuts a character in two', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 100, maxLength: 600 }),
        fc.string({ maxLength: 3 }),
        (text, word) => {
          const snippet = snippetOf(text, word === '' ? [] : [word.toLowerCase()]);
          expect(snippet.isWellFormed()).toBe(text.isWellFormed());
          expect(snippet.length).toBeLessThanOrEqual(202);
        },
      ),
    );
  });
});
