import { mean } from './measures.ts';

const ROUNDS = 10_000;

export interface Comparison {
  /** Mean of the differences, second minus first. */
  readonly difference: number;
  /** Two-sided p of the paired randomisation test: how often chance alone makes a difference as large. */
  readonly p: number;
  /** Where 95 of 100 means of resampled questions lie. */
  readonly interval: readonly [number, number];
}

/** Compares two rankers question by question, both lists in one order; always the same for the same figures. */
export function compare(first: readonly number[], second: readonly number[]): Comparison {
  const differences = second.map((value, at) => value - first[at]!);
  const difference = mean(differences);
  const random = generator(20_261_130);
  let asLarge = 0;
  const means: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let flipped = 0;
    let drawn = 0;
    for (let at = 0; at < differences.length; at += 1) {
      flipped += random() < 0.5 ? differences[at]! : -differences[at]!;
      drawn += differences[Math.floor(random() * differences.length)]!;
    }
    if (Math.abs(flipped / differences.length) >= Math.abs(difference) - 1e-12) asLarge += 1;
    means.push(drawn / differences.length);
  }
  means.sort((a, b) => a - b);
  return {
    difference,
    p: (asLarge + 1) / (ROUNDS + 1),
    interval: [means[Math.floor(ROUNDS * 0.025)] ?? 0, means[Math.floor(ROUNDS * 0.975)] ?? 0],
  };
}

/** mulberry32: numbers from 0 up to 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
