import { expect, test } from 'vitest';
import { keptReads } from '../../src/storage/sqlite/index/kept-reads.ts';

test('[DS94] a read is kept until the index changes', () => {
  let changes = 0;
  let reads = 0;
  const kept = keptReads<number>(() => changes);
  const read = () => kept.of('a', () => (reads += 1));
  expect([read(), read()]).toEqual([1, 1]);
  changes += 1;
  expect([read(), read()]).toEqual([2, 2]);
  expect(kept.of('b', () => 7)).toBe(7);
});

test('[DS94] of many only those are read that are not kept', () => {
  const kept = keptReads<number>(() => 0);
  kept.of('a', () => 1);
  const asked: (readonly string[])[] = [];
  const read = (missing: readonly string[]) => (asked.push(missing), new Map([['b', 2]]));
  const want = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 0],
  ]);
  expect(kept.all(['a', 'b', 'c'], 0, read)).toEqual(want);
  expect(kept.all(['c', 'b', 'a'], 0, read)).toEqual(want);
  expect(asked).toEqual([['b', 'c']]);
});

test('[DS94] only so many are kept', () => {
  const kept = keptReads<number>(() => 0);
  let reads = 0;
  for (let key = 0; key < 10_000; key++) kept.of(String(key), () => (reads += 1));
  kept.of('0', () => (reads += 1));
  expect(reads).toBe(10_001);
});
