import { expect, test } from 'vitest';
import { goneFiles } from '../../src/storage/sqlite/watch/renames.ts';

test('[DS76] which page a text belongs to', () => {
  const gone = goneFiles([
    { pageId: 'b/one.md', sha256: 'h', size: 3 },
    { pageId: 'a/two.md', sha256: 'h', size: 3 },
    { pageId: 'c/one.md', sha256: 'g', size: 4 },
  ]);
  expect([gone.hasSize(3), gone.hasSize(4), gone.hasSize(5)]).toEqual([true, true, false]);
  expect(gone.take('h', 'x/one.md')).toBe('b/one.md');
  expect(gone.take('h', 'x/one.md')).toBe('a/two.md');
  expect(gone.take('h', 'x/one.md')).toBeUndefined();
  expect(gone.take('none', 'x/one.md')).toBeUndefined();
});
