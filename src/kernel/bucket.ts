import type { Clock } from './clock.ts';

/** A token bucket: full at the start, refilled continuously. A clock that goes back brings nothing and takes nothing. */
export interface Bucket {
  /** Takes one call: 0, or the milliseconds, rounded up, until one will be there. */
  take(): number;
  /** Whole calls that would be let through right now. */
  left(): number;
  /** Another size; full again. */
  reset(size: number): void;
}

/** `size` calls, and as many every `periodMs`. */
export function createBucket(clock: Clock, size: number, periodMs: number): Bucket {
  // In units of which one call costs `periodMs` and a millisecond brings `size`: whole numbers, so nothing is rounded.
  let level = size * periodMs;
  let at = clock().getTime();
  function refill(): void {
    const now = clock().getTime();
    const passed = now - at;
    at = now;
    if (passed > 0) level = Math.min(size * periodMs, level + passed * size);
  }
  return {
    take() {
      refill();
      if (level < periodMs) return Math.ceil((periodMs - level) / size);
      level -= periodMs;
      return 0;
    },
    left() {
      refill();
      return Math.floor(level / periodMs);
    },
    reset(next) {
      size = next;
      level = size * periodMs;
      at = clock().getTime();
    },
  };
}
