import { expect, test } from 'vitest';
import { createRateLimit } from '../../src/http/index.ts';

test('[VR8] with very many keys the one unseen for longest is forgotten', () => {
  const limit = createRateLimit(() => new Date(0), 1);
  expect([limit.take('first'), limit.take('second')]).toEqual([0, 0]);
  expect(limit.take('first')).toBe(60_000);
  for (let key = 0; key < 9_999; key++) expect(limit.take(`key ${key}`)).toBe(0);
  expect(limit.take('first')).toBe(60_000);
  expect(limit.take('second')).toBe(0);
});
