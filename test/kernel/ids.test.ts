import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomToken, ulids } from '../../src/kernel/ids.ts';

/** Ids made at these times, in this order. */
function idsAt(times: readonly number[]): string[] {
  let now = 0;
  const next = ulids(() => new Date(now));
  return times.map(time => {
    now = time;
    return next();
  });
}

const T = Date.UTC(2026, 4, 1);

describe('ids', () => {
  test('[KE3] a later one never sorts before, when the clock stands or steps back', () => {
    const ids = idsAt([T, T, T - 3_600_000, T - 1, 0, T + 1, T + 1]);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('[KE3] whatever the clock does', () => {
    const times = fc.array(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 2, maxLength: 400 });
    fc.assert(
      fc.property(times, walk => {
        const ids = idsAt(walk);
        expect(ids.toSorted()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('[KE3] two makers do not make the same ids at the same time', () => {
    const both = [...idsAt(Array<number>(500).fill(T)), ...idsAt(Array<number>(500).fill(T))];
    expect(new Set(both).size).toBe(1000);
    expect(both.every(id => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id))).toBe(true);
  });

  test('[KE3] tokens are of their length and differ', () => {
    expect(randomToken()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(randomToken(16)).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(randomToken()).not.toBe(randomToken());
  });
});
