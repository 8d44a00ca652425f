import { expect, test } from 'vitest';
import { sha256 } from '../../../src/kernel/hash.ts';
import { createParseCache, parsePage } from '../../../src/pages/index.ts';

test('[PG46] the pages used last are kept, and no more characters than allowed', async () => {
  const cache = createParseCache(10);
  const loads: string[] = [];
  const get = (hash: string, text: string) =>
    cache.get(hash, () => {
      loads.push(hash);
      return Promise.resolve(text);
    });
  const first = await get('a', 'aaaa');
  expect(first).toEqual(parsePage('aaaa'));
  await get('b', 'bbbb');
  expect(await get('a', 'aaaa')).toBe(first);
  await get('c', 'cccc');
  expect(loads).toEqual(['a', 'b', 'c']);
  await get('a', 'aaaa');
  await get('c', 'cccc');
  expect(loads).toEqual(['a', 'b', 'c']);
  await get('b', 'bbbb');
  expect(loads).toEqual(['a', 'b', 'c', 'b']);
  await get('large', 'x'.repeat(11));
  await get('large', 'x'.repeat(11));
  await get('c', 'cccc');
  expect(loads).toEqual(['a', 'b', 'c', 'b', 'large', 'large']);
});

test('[PG46] a page that is asked for twice at once is counted once', async () => {
  const cache = createParseCache(8);
  let loads = 0;
  const load = () => Promise.resolve('x'.repeat(++loads && 4));
  await Promise.all([cache.get('a', load), cache.get('a', load)]);
  await cache.get('b', load);
  const before = loads;
  await cache.get('a', load);
  await cache.get('b', load);
  expect(loads).toBe(before);
});

test('[PG46] a text that cannot be loaded is not kept', async () => {
  const cache = createParseCache(100);
  await expect(cache.get('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect((await cache.get('a', () => Promise.resolve('back'))).body).toBe('back');
});

test('[PG46] what is only written drives out nothing that is read, and a page written last is read without its text', async () => {
  const cache = createParseCache(1000);
  const read = await cache.get('read', () => Promise.resolve('x'.repeat(900)));
  const written = cache.parse('a text that is written');
  for (let n = 0; n < 50; n++) cache.parse(`another one, ${n}, of some length`);
  const never = () => Promise.reject(new Error('asked for its text'));
  expect(await cache.get(sha256('a text that is written'), never)).toBe(written);
  expect(await cache.get('read', never)).toBe(read);
  for (let n = 0; n < 100; n++) cache.parse(`one more, ${n}, of some length`);
  expect(await cache.get(sha256('a text that is written'), never)).toBe(written);
  expect(cache.parse('a text that is written')).toBe(written);
});
