import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock } from './clock.ts';

/** Makes ULIDs that never sort before one made earlier, even when the clock steps back. */
export function ulids(clock: Clock): () => string {
  let pool = randomBytes(256);
  let used = 0;
  const next = monotonicFactory(() => {
    if (used === pool.length) {
      pool = randomBytes(256);
      used = 0;
    }
    return pool[used++]! / 256;
  });
  return () => next(clock().getTime());
}

/** `bytes` random bytes as URL-safe base64, for tokens. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
