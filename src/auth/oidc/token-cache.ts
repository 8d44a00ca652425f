import type { Principal } from '../../kernel/principal.ts';
import type { SigningKeys } from './signing-keys.ts';

/** A verified token: whom it names, until when, and the state of the keys that vouched for it. */
export interface Verified {
  readonly principal: Principal;
  /** Milliseconds since 1970; from then on it is worth nothing. */
  readonly expiresAt: number;
  readonly keys: SigningKeys;
  readonly generation: number;
}

export interface TokenCache {
  get(key: string): Verified | undefined;
  put(key: string, verified: Verified): void;
}

/** Keeps the `max` entries used last. Keys are digests: raw tokens are not kept. */
export function tokenCache(max: number): TokenCache {
  const entries = new Map<string, Verified>();
  return {
    get(key) {
      const found = entries.get(key);
      if (found) {
        entries.delete(key);
        entries.set(key, found);
      }
      return found;
    },
    put(key, verified) {
      entries.delete(key);
      entries.set(key, verified);
      if (entries.size > max) entries.delete(entries.keys().next().value!);
    },
  };
}
