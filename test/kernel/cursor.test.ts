import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/kernel/cursor.ts';
import { asFailure, type Failure } from '../../src/kernel/failure.ts';

const plain = fc.string({ unit: 'grapheme' }).filter(text => !text.includes('|'));
const refusalOf = (cursor: string, count: number): Failure | undefined => {
  try {
    decodeCursor('list_things', cursor, count);
    return undefined;
  } catch (thrown) {
    return asFailure(thrown);
  }
};

describe('cursors', () => {
  test('[KE4] give back their parts, whatever the last one holds', () => {
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 4 }), fc.string({ unit: 'grapheme' }), (first, last) => {
        const parts = [...first, last];
        const cursor = encodeCursor(parts);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor('list_things', cursor, parts.length)).toEqual(parts);
      }),
    );
  });

  test('[KE4] the last part may hold the mark between parts', () => {
    expect(decodeCursor('t', encodeCursor(['2026-01-01', 'a|b||']), 2)).toEqual(['2026-01-01', 'a|b||']);
    expect(decodeCursor('t', encodeCursor(['a|b']), 1)).toEqual(['a|b']);
  });

  test.each(['', ' ', 'x y', 'YWJj=', 'YWJj', 'YWJj\n', '/w==', 'gICA', 'YXxi!', 'Yh', 'ä'])(
    '[KE5] %j is refused',
    cursor => {
      expect(refusalOf(cursor, 2)).toMatchObject({
        code: 'invalid_params',
        message: 'list_things: cursor: not a cursor of this tool',
        data: { argument: 'cursor' },
      });
    },
  );

  test('[KE5] any text is read to the parts it stands for, or refused', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      plain.map(text => encodeCursor([text])),
    );
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 3 }), (cursor, count) => {
        const refusal = refusalOf(cursor, count);
        const read = refusal ? undefined : encodeCursor(decodeCursor('list_things', cursor, count));
        expect(refusal?.code ?? read).toBe(refusal ? 'invalid_params' : cursor);
      }),
      { numRuns: 500 },
    );
  });

  test('[KE5] a cursor with fewer parts than the tool makes is refused', () => {
    expect(refusalOf(encodeCursor(['a', 'b']), 3)?.code).toBe('invalid_params');
  });
});
