import type { FixedVector } from '../../../search/vectors/index.ts';
import type { Background } from '../../../search/vectors/ports.ts';
import { candidates, type Coarse } from './candidates.ts';
import { rowSample } from './row-sample.ts';
import { MEMORY_PAGE, MOST_NUMBERS, MOST_PAGES, scanKernel, scanMemory, VECTORS_AT } from './scan-kernel.ts';

/** A block by the number of its page and its place there. */
export interface ScoredBlock {
  readonly page: number;
  readonly slot: number;
  /** Cosine. */
  readonly score: number;
}

/** Vectors of length 1 in memory, one or several a block. */
export interface Matrix {
  /** Answers the row, for `remove`. Page numbers begin at 1. `part`: it stands for a part of the block only. */
  add(page: number, slot: number, vector: FixedVector, part?: boolean): number;
  remove(row: number): void;
  /** See VectorLane.background. Of blocks as a whole: their parts would count long ones several times. */
  background(query: Float32Array): Background | null;
  /**
   * The nearest blocks of pages p with `pages[p]` 1, each by its nearest vector, best first, ties by page and slot. Exact unless `coarse` is given: the scan
   * bounds every cosine, and each row that could be among the best is compared in full. `query` has length 1.
   */
  nearest(query: Float32Array, pages: Uint8Array, limit: number, coarse?: Coarse): ScoredBlock[];
}

/** With fewer, an average says nothing. */
const FEWEST_SAMPLES = 16;
/** Page number of a row without a vector. */
const NOBODY = 0;

/**
 * A vector is kept as upper and lower bytes of its 16-bit numbers: the upper ones are scanned, both are looked at to be exact.
 * Throws a RangeError when the memory is full.
 */
export function matrix(dim: number): Matrix {
  if (dim > MOST_NUMBERS) throw new RangeError(`vectors of ${dim} numbers, at most ${MOST_NUMBERS}`);
  const stride = Math.ceil(dim / 16) * 16;
  const memory = scanMemory();
  const kernel = scanKernel(memory, 0);
  const free: number[] = [];
  const sample = rowSample();
  let upper = new Int8Array(memory.buffer);
  let capacity = Math.floor((memory.buffer.byteLength - VECTORS_AT) / stride);
  let lower = new Int8Array(capacity * dim);
  let pageOf = shared(Uint32Array, capacity);
  let slotOf = new Uint32Array(capacity);
  let isPart = new Int8Array(capacity);
  let units = shared(Float32Array, capacity);
  /** By how much the cosine of the upper bytes may differ from that of the vector. */
  let slack = shared(Float32Array, capacity);
  let rows = 0;
  /** Rows that stand for a part of a block. */
  let partRows = 0;
  /** No row has more. */
  let largestUnit = 0;
  let largestSlack = 0;

  function grow(): void {
    const wanted =
      Math.ceil(((capacity * 1.5 + 64) * stride) / MEMORY_PAGE) - Math.floor((capacity * stride) / MEMORY_PAGE);
    memory.grow(Math.min(wanted, MOST_PAGES - memory.buffer.byteLength / MEMORY_PAGE));
    upper = new Int8Array(memory.buffer);
    const room = Math.floor((memory.buffer.byteLength - VECTORS_AT) / stride);
    if (room === capacity) throw new RangeError('no room for more vectors');
    capacity = room;
    lower = copied(lower, new Int8Array(capacity * dim));
    pageOf = copied(pageOf, shared(Uint32Array, capacity));
    slotOf = copied(slotOf, new Uint32Array(capacity));
    isPart = copied(isPart, new Int8Array(capacity));
    units = copied(units, shared(Float32Array, capacity));
    slack = copied(slack, shared(Float32Array, capacity));
  }

  function put(row: number, { values, unit }: FixedVector): void {
    const at = VECTORS_AT + row * stride;
    let squares = 0;
    for (let i = 0; i < dim; i++) {
      const high = (values[i]! + 128) >> 8;
      const low = values[i]! - high * 256;
      upper[at + i] = high;
      lower[row * dim + i] = low;
      squares += low * low;
    }
    units[row] = unit;
    slack[row] = Math.sqrt(squares) * unit;
    largestUnit = Math.max(largestUnit, unit);
    largestSlack = Math.max(largestSlack, slack[row]!);
  }

  function exact(row: number, query: Float32Array): number {
    const at = VECTORS_AT + row * stride;
    let sum = 0;
    for (let i = 0; i < dim; i++) sum += (upper[at + i]! * 256 + lower[row * dim + i]!) * query[i]!;
    return sum * units[row]!;
  }

  return {
    add(page, slot, vector, part = false) {
      if (free.length === 0 && rows === capacity) grow();
      const row = free.pop() ?? rows++;
      put(row, vector);
      pageOf[row] = page;
      slotOf[row] = slot;
      isPart[row] = part ? 1 : 0;
      if (part) partRows += 1;
      else sample.added(row);
      return row;
    },
    remove(row) {
      pageOf[row] = NOBODY;
      partRows -= isPart[row]!;
      free.push(row);
      sample.removed(row);
    },
    background(query) {
      const cosines = sample
        .rows(rows, row => pageOf[row] !== NOBODY && isPart[row] === 0)
        .map(row => exact(row, query));
      if (cosines.length < FEWEST_SAMPLES) return null;
      const mean = cosines.reduce((sum, one) => sum + one, 0) / cosines.length;
      const deviation = Math.sqrt(cosines.reduce((sum, one) => sum + (one - mean) ** 2, 0) / cosines.length);
      return deviation > 1e-6 ? { mean, deviation } : null;
    },
    nearest(query, pages, limit, coarse) {
      const live = rows - free.length;
      if (limit <= 0 || live === 0) return [];
      // Rows of one block take the places of others: as many as blocks have on average; where that is not enough all are scanned again.
      const rowsOfBlock = live / Math.max(1, live - partRows);
      for (let wanted = Math.min(live, Math.ceil(limit * rowsOfBlock)); ; wanted *= 3) {
        const asked = { query, pages, wanted, from: 0, to: rows, stride, largestUnit, largestSlack, coarse };
        const found = candidates(kernel, { pageOf, units, slack }, asked).map(row => ({
          page: pageOf[row]!,
          slot: slotOf[row]!,
          score: exact(row, query),
        }));
        found.sort((a, b) => b.score - a.score || a.page - b.page || a.slot - b.slot);
        const blocks = bestOfEach(found.slice(0, wanted));
        if (blocks.length >= limit || found.length < wanted || wanted >= rows) return blocks.slice(0, limit);
      }
    },
  };
}

/** The first of each block. */
function bestOfEach(found: readonly ScoredBlock[]): ScoredBlock[] {
  const slots = new Map<number, Set<number>>();
  return found.filter(({ page, slot }) => {
    const seen = slots.get(page);
    if (seen === undefined) slots.set(page, new Set([slot]));
    else if (seen.has(slot)) return false;
    else seen.add(slot);
    return true;
  });
}

/** Numbers that other threads can read. */
function shared<A>(
  kind: { new (buffer: SharedArrayBuffer): A; readonly BYTES_PER_ELEMENT: number },
  length: number,
): A {
  return new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT));
}

function copied<A extends Int8Array | Uint32Array | Float32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
