import { bestCosines } from './best-cosines.ts';
import { ROWS_AT_ONCE, VECTORS_AT, type ScanKernel } from './scan-kernel.ts';

/** Scans over the upper and over the lower bytes of the same rows. */
export interface Kernels {
  readonly upper: ScanKernel;
  readonly lower: ScanKernel;
}

/** Vectors and what a search needs of each row beside. Other threads may read it while it changes. */
export interface RowsInMemory {
  /** Upper bytes of the numbers, from byte VECTORS_AT on, a row every `stride` bytes. */
  readonly upper: Int8Array;
  /** The lower bytes in the same way. */
  readonly lower: Int8Array;
  /** A multiple of 16. */
  readonly stride: number;
  /** Page number; 0 for a row without a vector. */
  readonly pageOf: Uint32Array;
  /** See FixedVector. */
  readonly units: Float32Array;
  /** By how much the cosine of the upper bytes may differ from that of the vector. */
  readonly slack: Float32Array;
}

/** A first look at the leading numbers alone, and how many rows it leaves for the exact one (N051-N053). */
export interface Coarse {
  readonly dim: number;
  readonly candidates: number;
}

export interface CandidatesAsked {
  /** Length 1. */
  readonly query: Float32Array;
  /** Rows of pages p with `pages[p]` 1 are compared. */
  readonly pages: Uint8Array;
  /** How many of the best are wanted. */
  readonly wanted: number;
  /** Rows from this one … */
  readonly from: number;
  /** … up to this one, which is not looked at. */
  readonly to: number;
  /** No row has more. */
  readonly largestUnit: number;
  readonly largestSlack: number;
  readonly coarse: Coarse | undefined;
}

/** Rows with their cosines, in no order. */
export interface Candidates {
  readonly rows: Uint32Array;
  readonly cosines: Float64Array;
}

/** Largest number of a query in the scan: sums of products stay within 32 bits. */
const LARGEST_QUERY = 4095;
const LEAST_SUM = -(2 ** 31);
/** Every 509th row tells what share of all passes. */
const SAMPLED = 509;
/** From this share on comparing all rows costs less than picking: one after the other is three times as fast as here and there. */
export const MANY = 0.17;
/** So many rows more than are wanted are compared in full at once. */
const FEW = 32;

/**
 * Every row that could be among the best, compared in full, so that the best of them are the nearest, unless `coarse` is given. Ends
 * early, with anything, when it is called off.
 */
export function candidates(
  kernels: Kernels,
  rows: RowsInMemory,
  asked: CandidatesAsked,
  calledOff: () => boolean = () => false,
): Candidates {
  const { step, error } = putQuery(kernels.upper.query, asked.query, rows.stride);
  const likely = byUpperBytes(kernels.upper, rows, asked, { step, error }, calledOff);
  const kept = Uint32Array.from(byAllBytes(kernels, rows, asked, { step, error }, likely));
  const cosines = new Float64Array(kept.length);
  for (let at = 0; at < kept.length; at++) cosines[at] = cosine(rows, kept[at]!, asked.query);
  return { rows: kept, cosines };
}

export function cosine({ upper, stride, lower, units }: RowsInMemory, row: number, query: Float32Array): number {
  const at = VECTORS_AT + row * stride;
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += (upper[at + i]! * 256 + lower[at + i]!) * query[i]!;
  return sum * units[row]!;
}

/** What share of the rows passes, nearly. */
export function shareOf(pageOf: Uint32Array, pages: Uint8Array, from: number, to: number): number {
  let passing = 0;
  let looked = 0;
  for (let row = from; row < to; row += SAMPLED, looked++) if (pages[pageOf[row]!] === 1) passing += 1;
  return passing / Math.max(1, looked);
}

/** The query as the scans have it: what a step of it is worth, and by how much a cosine may be off for it. */
interface QueryInSteps {
  readonly step: number;
  readonly error: number;
}

/** Rows that could be among the best as far as upper bytes tell. */
function byUpperBytes(
  kernel: ScanKernel,
  { pageOf, units, slack, stride }: RowsInMemory,
  { pages, wanted, from, to, coarse, largestUnit, largestSlack }: CandidatesAsked,
  { step, error }: QueryInSteps,
  calledOff: () => boolean,
): number[] {
  const length = coarse ? Math.min(stride, Math.ceil(coarse.dim / 16) * 16) : stride;
  const best = bestCosines(coarse ? Math.max(wanted, coarse.candidates) : wanted);
  const { scan, rows, rowsAt, numbersAt, found, foundAt } = kernel;
  const dense = shareOf(pageOf, pages, from, to) >= MANY;
  const worth = step * 256;
  const kept: number[] = [];
  const highest: number[] = [];

  /** A row whose sum is below cannot be among the best, whatever its unit is; for the many that are far off. */
  function leastSum(floor: number): number {
    const above = coarse ? floor : floor - error - largestSlack;
    return above > 0 ? Math.floor(above / (worth * largestUnit)) : LEAST_SUM;
  }

  function take(first: number, end: number): void {
    let floor = best.floor();
    for (let at = 0; at < (end - foundAt) >> 2; at += 2) {
      const one = first + found[at]!;
      const about = found[at + 1]! * worth * units[one]!;
      const off = coarse ? 0 : slack[one]! + error;
      if (about + off < floor || (dense && pages[pageOf[one]!] !== 1)) continue;
      kept.push(one);
      highest.push(about + off);
      best.offer(about - off);
      floor = best.floor();
    }
  }

  for (let row = from; row < to && !calledOff();) {
    const least = leastSum(best.floor());
    if (dense) {
      const count = Math.min(to - row, ROWS_AT_ONCE);
      take(row, scan(numbersAt, numbersAt + 4 * count, VECTORS_AT + row * stride, stride, length, least));
      row += count;
      continue;
    }
    let count = 0;
    // Written in any case, and written over by the next one unless it passes: a branch would be guessed wrong for every other row.
    for (; row < to && count < ROWS_AT_ONCE; row++) {
      rows[count] = row;
      count += pages[pageOf[row]!]! & 1;
    }
    if (count > 0) take(0, scan(rowsAt, rowsAt + 4 * count, VECTORS_AT, stride, length, least));
  }
  const floor = best.floor();
  return kept.filter((_, i) => highest[i]! >= floor);
}

/** Those of the rows that could be among the best as far as all bytes tell: what is left to be off is the query's own. */
function byAllBytes(
  { upper, lower }: Kernels,
  { units, stride }: RowsInMemory,
  { wanted }: CandidatesAsked,
  { step, error }: QueryInSteps,
  likely: readonly number[],
): readonly number[] {
  if (likely.length <= wanted + FEW) return likely;
  lower.query.set(upper.query.subarray(0, stride));
  const best = bestCosines(wanted);
  const about = new Float64Array(likely.length);
  for (let from = 0; from < likely.length; from += ROWS_AT_ONCE) {
    const some = likely.slice(from, from + ROWS_AT_ONCE);
    for (const { scan, rows, rowsAt } of [upper, lower]) {
      rows.set(some);
      scan(rowsAt, rowsAt + 4 * some.length, VECTORS_AT, stride, stride, LEAST_SUM);
    }
    for (let at = 0; at < some.length; at++) {
      const sum = upper.found[2 * at + 1]! * 256 + lower.found[2 * at + 1]!;
      about[from + at] = sum * step * units[some[at]!]!;
      best.offer(about[from + at]!);
    }
  }
  const floor = best.floor() - 2 * error;
  return likely.filter((_, at) => about[at]! >= floor);
}

/** Writes the query for a scan. */
function putQuery(places: Int16Array, query: Float32Array, stride: number): QueryInSteps {
  const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const step = largest / LARGEST_QUERY;
  let squares = 0;
  places.fill(0, 0, stride);
  for (let i = 0; i < query.length; i++) {
    places[i] = Math.round(query[i]! / step);
    squares += (query[i]! - places[i]! * step) ** 2;
  }
  // The upper bytes of a vector of length 1 are hardly longer than it.
  return { step, error: Math.sqrt(squares) * 1.1 };
}
