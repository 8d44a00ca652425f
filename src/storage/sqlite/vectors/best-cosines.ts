import type { BestValues } from './best-values.ts';

const STEPS = 4096;
/** Bounds of cosines may lie a little beyond -1 and 1. */
const FROM = -1.25;
const PLACES = 2.5 * STEPS;

/**
 * The same for cosines, in a time that does not grow with `most`: they are counted in steps of 1/4096, so that the floor may lie that
 * much too low, and never too high.
 */
export function bestCosines(most: number): BestValues {
  const counts = new Uint32Array(PLACES);
  let lowest = 0;
  /** Offered at that place and above. */
  let above = 0;
  return {
    floor: () => (above < most || lowest === 0 ? Number.NEGATIVE_INFINITY : lowest / STEPS + FROM),
    offer(value) {
      const place = Math.max(0, Math.min(PLACES - 1, Math.floor((value - FROM) * STEPS)));
      if (place < lowest) return;
      counts[place]! += 1;
      above += 1;
      while (above - counts[lowest]! >= most) above -= counts[lowest++]!;
    },
  };
}
