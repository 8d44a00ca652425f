import { bestValues } from './best-values.ts';
import { ROWS_AT_ONCE, VECTORS_AT, type ScanKernel } from './scan-kernel.ts';

/** What a scan reads of each row beside the upper bytes of its vector. Other threads may read it while it changes. */
export interface RowFacts {
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
  /** Bytes from row to row, a multiple of 16. */
  readonly stride: number;
  /** No row has more. */
  readonly largestUnit: number;
  readonly largestSlack: number;
  readonly coarse: Coarse | undefined;
}

/** Largest number of a query in the scan: sums of products stay within 32 bits. */
const LARGEST_QUERY = 4095;
const LEAST_SUM = -(2 ** 31);
/** Every 509th row tells what share of all passes; from MOST on comparing all of them costs less than picking. */
const SAMPLED = 509;
const MOST = 0.75;

/** Every row that could be among the best, so that looking at those in full is exact, unless `coarse` is given. */
export function candidates(kernel: ScanKernel, { pageOf, units, slack }: RowFacts, asked: CandidatesAsked): number[] {
  const { query, pages, wanted, from, to, stride, coarse } = asked;
  const { step, error } = putQuery(kernel.query, query, stride);
  const length = coarse ? Math.min(stride, Math.ceil(coarse.dim / 16) * 16) : stride;
  const best = bestValues(coarse ? Math.max(wanted, coarse.candidates) : wanted);
  const { scan, rows, rowsAt, numbersAt, found, foundAt } = kernel;
  const dense = shareOf(pageOf, pages, from, to) >= MOST;
  const worth = step * 256;
  const kept: number[] = [];
  const highest: number[] = [];

  /** A row whose sum is below cannot be among the best, whatever its unit is; for the many that are far off. */
  function leastSum(floor: number): number {
    const above = coarse ? floor : floor - error - asked.largestSlack;
    return above > 0 ? Math.floor(above / (worth * asked.largestUnit)) : LEAST_SUM;
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

  for (let row = from; row < to;) {
    const least = leastSum(best.floor());
    if (dense) {
      const count = Math.min(to - row, ROWS_AT_ONCE);
      take(row, scan(numbersAt, numbersAt + 4 * count, VECTORS_AT + row * stride, stride, length, least));
      row += count;
      continue;
    }
    let count = 0;
    for (; row < to && count < ROWS_AT_ONCE; row++) if (pages[pageOf[row]!] === 1) rows[count++] = row;
    if (count > 0) take(0, scan(rowsAt, rowsAt + 4 * count, VECTORS_AT, stride, length, least));
  }
  const floor = best.floor();
  return kept.filter((_, i) => highest[i]! >= floor);
}

/** Writes the query for the scan; answers what one of its steps is worth and by how much it may be off. */
function putQuery(places: Int16Array, query: Float32Array, stride: number): { step: number; error: number } {
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

/** What share of the rows passes, nearly. */
function shareOf(pageOf: Uint32Array, pages: Uint8Array, from: number, to: number): number {
  let passing = 0;
  let looked = 0;
  for (let row = from; row < to; row += SAMPLED, looked++) if (pages[pageOf[row]!] === 1) passing += 1;
  return passing / Math.max(1, looked);
}
