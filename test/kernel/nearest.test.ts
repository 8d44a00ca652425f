import { describe, expect, test } from 'vitest';
import { nearest } from '../../src/kernel/nearest.ts';

const NAMES = ['page_id', 'skill', 'limit', 'cursor', 'as_of', 'k', 'q', 'collections'];

describe('the nearest name', () => {
  test.each([
    ['pageid', 'page_id'],
    ['page_di', 'page_id'],
    ['PAGE_ID', 'page_id'],
    ['skil', 'skill'],
    ['limits', 'limit'],
    ['collection', 'collections'],
    ['asof', 'as_of'],
  ])('[KE8] %s is probably %s', (word, name) => {
    expect(nearest(word, NAMES)).toBe(name);
  });

  test.each(['', 'entirely_else', 'x_of_y', 'skirmish', 'k'.repeat(10_000)])('[KE8] %.20s is near to nothing', word => {
    expect(
      nearest(
        word,
        NAMES.filter(name => name.length > 1),
      ),
    ).toBeUndefined();
  });

  test('[KE8] the closest wins, the first of equals', () => {
    expect(nearest('cat', ['cot', 'cut', 'cast'])).toBe('cot');
    expect(nearest('casts', ['costs', 'cast', 'casts'])).toBe('casts');
    expect(nearest('a', [])).toBeUndefined();
  });
});
