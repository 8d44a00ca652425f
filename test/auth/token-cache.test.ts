import { expect, test } from 'vitest';
import { signingKeys } from '../../src/auth/oidc/signing-keys.ts';
import { tokenCache, type Verified } from '../../src/auth/oidc/token-cache.ts';

const keys = signingKeys({
  uri: 'http://127.0.0.1:9/never-asked',
  lifeMs: 1,
  timeoutMs: 1,
  clock: () => new Date(0),
  fetch: globalThis.fetch,
});
const verified = (subject: string): Verified => ({
  principal: { tenant: 'default', subject, groups: [], admin: false, metered: true },
  expiresAt: 1,
  keys,
  generation: 0,
});

test('[AU27] the entries used last are kept', () => {
  const cache = tokenCache(3);
  for (const name of ['a', 'b', 'c']) cache.put(name, verified(name));
  expect(cache.get('a')?.principal.subject).toBe('a');
  cache.put('d', verified('d'));
  expect(['a', 'b', 'c', 'd'].map(name => cache.get(name)?.principal.subject)).toEqual(['a', undefined, 'c', 'd']);
  cache.put('c', verified('c again'));
  cache.put('e', verified('e'));
  expect(['a', 'c', 'd', 'e'].map(name => cache.get(name)?.principal.subject)).toEqual([
    undefined,
    'c again',
    'd',
    'e',
  ]);
});
