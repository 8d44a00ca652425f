import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { around, encoded, octetsOf, textOf } from '../../src/http/octets.ts';

const text = fc.string({ unit: fc.constantFrom('a', '"', 'ü', 'ÿ', '€', '\u2028', '\u{1f600}') });

describe('texts as octets', () => {
  test('[HT14] what was made ready goes out as the bytes of the same text', () => {
    fc.assert(
      fc.property(text, text, text, (before, ready, after) => {
        const body = around(before, octetsOf(ready), after);
        const { text: sent, encoding, bytes } = encoded(body);
        expect(Buffer.from(sent, encoding)).toEqual(Buffer.from(before + ready + after, 'utf8'));
        expect(bytes).toBe(Buffer.byteLength(before + ready + after));
        expect(textOf(body)).toBe(before + ready + after);
      }),
    );
  });

  test('[HT14] so does a text that was not', () => {
    fc.assert(
      fc.property(text, body => {
        const { text: sent, encoding, bytes } = encoded(body);
        expect(Buffer.from(sent, encoding)).toEqual(Buffer.from(body, 'utf8'));
        expect(bytes).toBe(Buffer.byteLength(body));
      }),
    );
  });
});
