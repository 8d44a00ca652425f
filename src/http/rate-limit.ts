import { createBucket, type Bucket } from '../kernel/bucket.ts';
import type { Clock } from '../kernel/clock.ts';

/** How often each key may do something (contract of the rules 3). Kept in memory: a restart forgets it. */
export interface RateLimit {
  /** 0 and counted, or the milliseconds until the next one is let through. */
  take(key: string): number;
}

const MINUTE_MS = 60_000;
/** Keys may be cheap to come by: with so many known, the one unseen for longest is forgotten. */
const MAX_KEYS = 10_000;

/** Lets each key do something `most` times at once, and as often again each minute, or each `windowMs`. */
export function createRateLimit(clock: Clock, most: number, windowMs = MINUTE_MS): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    take(key) {
      const bucket = buckets.get(key) ?? createBucket(clock, most, windowMs);
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > MAX_KEYS) buckets.delete(buckets.keys().next().value!);
      return bucket.take();
    },
  };
}
