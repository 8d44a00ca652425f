import type { RateLimit } from '../rate-limit.ts';

const MINUTE_MS = 60_000;
/** Addresses are cheap to come by: with so many known, the one unseen for longest is forgotten. */
const MAX_KEYS = 10_000;

/**
 * Lets at most `limit` through in any minute, for each key. Stricter than a bucket, which after a pause lets through as many
 * again: guessing gets no such start. What is refused does not count.
 */
export function attempts(limit: number, now: () => Date): RateLimit {
  const seen = new Map<string, readonly number[]>();
  return {
    take(key) {
      const at = now().getTime();
      // A clock that went back must not lock anyone out for longer than a minute.
      const recent = (seen.get(key) ?? []).filter(one => one <= at && at - one < MINUTE_MS);
      const wait = recent.length < limit ? 0 : recent[0]! + MINUTE_MS - at;
      seen.delete(key);
      seen.set(key, wait === 0 ? [...recent, at] : recent);
      if (seen.size > MAX_KEYS) seen.delete(seen.keys().next().value!);
      return wait;
    },
  };
}
