import { randomUUID } from 'node:crypto';
import type { FixedVector } from '../../../search/vectors/index.ts';
import type { Background } from '../../../search/vectors/ports.ts';
import {
  candidates,
  cosine,
  MANY,
  shareOf,
  type Candidates,
  type CandidatesAsked,
  type Kernels,
  type Coarse,
  type RowsInMemory,
} from './candidates.ts';
import { rowSample } from './row-sample.ts';
import {
  MEMORY_PAGE,
  MOST_NUMBERS,
  MOST_PAGES,
  scanKernel,
  scanMemory,
  VECTORS_AT,
  type ScanMemory,
} from './scan-kernel.ts';

/** A block by the number of its page and its place there. */
export interface ScoredBlock {
  readonly page: number;
  readonly slot: number;
  /** Cosine. */
  readonly score: number;
}

export interface NearestAsked {
  /** Length 1. */
  readonly query: Float32Array;
  /** Blocks of pages p with `pages[p]` 1 are compared. */
  readonly pages: Uint8Array;
  readonly limit: number;
  readonly coarse?: Coarse | undefined;
}

export interface Memories {
  readonly upper: ScanMemory;
  readonly lower: ScanMemory;
}

/** What another thread needs to look at rows. */
export interface SharedRows extends RowsInMemory {
  /** Tells memories apart. */
  readonly id: string;
  readonly memories: Memories;
}

/** Looks at rows in another thread: several ranges of them side by side, for which `asked` is repeated. */
export type ScanElsewhere = (rows: SharedRows, asked: CandidatesAsked) => Promise<readonly Candidates[]>;

/** Vectors of length 1 in memory, one or several a block. */
export interface Matrix {
  /** Answers the row, for `remove`. Page numbers begin at 1. `part`: it stands for a part of the block only. */
  add(page: number, slot: number, vector: FixedVector, part?: boolean): number;
  remove(row: number): void;
  /** See VectorLane.background. Of blocks as a whole: their parts would count long ones several times. */
  background(query: Float32Array): Background | null;
  /**
   * The nearest blocks, each by its nearest vector, best first, ties by page and slot. Exact unless `coarse` is given: the scan bounds
   * every cosine, and each row that could be among the best is compared in full.
   */
  nearest(asked: NearestAsked): ScoredBlock[];
  /**
   * The same, by a scan elsewhere; `settle` is called when it answered. Null when a row changed meanwhile that could be among the best: what was
   * found is then no state that ever was.
   */
  nearestElsewhere(asked: NearestAsked, scan: ScanElsewhere, settle: () => void): Promise<ScoredBlock[] | null>;
  /** How long `nearest` would take, roughly, in milliseconds. */
  estimate(asked: NearestAsked): number;
}

/** With fewer, an average says nothing. */
const FEWEST_SAMPLES = 16;
/** In milliseconds: a byte of rows one after the other, one of rows here and there, and finding out whether a row passes. */
const BYTE_MS = 4.3e-8;
const FAR_BYTE_MS = 1.3e-7;
const ROW_MS = 1.5e-6;
/** Page number of a row without a vector. */
const NOBODY = 0;

/**
 * A vector is kept as upper and lower bytes of its 16-bit numbers: the upper ones are scanned, both are looked at to be exact.
 * Throws a RangeError when the memory is full.
 */
export function matrix(dim: number): Matrix {
  if (dim > MOST_NUMBERS) throw new RangeError(`vectors of ${dim} numbers, at most ${MOST_NUMBERS}`);
  const stride = Math.ceil(dim / 16) * 16;
  const id = randomUUID();
  const memories = { upper: scanMemory(), lower: scanMemory() };
  const kernels = kernelsOf(memories, 0);
  /** Rows that changed, for each scan that is under way elsewhere. */
  const watches = new Set<Set<number>>();
  const free: number[] = [];
  const sample = rowSample();
  let upper = new Int8Array(memories.upper.buffer);
  let lower = new Int8Array(memories.lower.buffer);
  let capacity = Math.floor((upper.length - VECTORS_AT) / stride);
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
    const pages = Math.min(wanted, MOST_PAGES - upper.length / MEMORY_PAGE);
    for (const memory of [memories.upper, memories.lower]) memory.grow(pages);
    upper = new Int8Array(memories.upper.buffer);
    lower = new Int8Array(memories.lower.buffer);
    const room = Math.floor((upper.length - VECTORS_AT) / stride);
    if (room === capacity) throw new RangeError('no room for more vectors');
    capacity = room;
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
      lower[at + i] = low;
      squares += low * low;
    }
    units[row] = unit;
    slack[row] = Math.sqrt(squares) * unit;
    largestUnit = Math.max(largestUnit, unit);
    largestSlack = Math.max(largestSlack, slack[row]!);
  }

  const inMemory = (): RowsInMemory => ({ upper, stride, lower, pageOf, units, slack });

  function touch(row: number): void {
    for (const watch of watches) watch.add(row);
  }

  /** Asks for more until there are enough blocks: rows of one block take the places of others. */
  function* asks({ query, pages, limit, coarse }: NearestAsked): Generator<CandidatesAsked, ScoredBlock[], Candidates> {
    const live = rows - free.length;
    if (limit <= 0 || live === 0) return [];
    // As many more as blocks have on average; where that is not enough all are scanned again.
    const rowsOfBlock = live / Math.max(1, live - partRows);
    for (let wanted = Math.min(live, Math.ceil(limit * rowsOfBlock)); ; wanted *= 3) {
      const found = yield { query, pages, wanted, from: 0, to: rows, largestUnit, largestSlack, coarse };
      const scored = Array.from(found.rows, (row, at) => ({
        page: pageOf[row]!,
        slot: slotOf[row]!,
        score: found.cosines[at]!,
      }));
      scored.sort((a, b) => b.score - a.score || a.page - b.page || a.slot - b.slot);
      const blocks = bestOfEach(scored.slice(0, wanted));
      if (blocks.length >= limit || scored.length < wanted || wanted >= rows) return blocks.slice(0, limit);
    }
  }

  return {
    add(page, slot, vector, part = false) {
      if (free.length === 0 && rows === capacity) grow();
      const row = free.pop() ?? rows++;
      touch(row);
      put(row, vector);
      pageOf[row] = page;
      slotOf[row] = slot;
      isPart[row] = part ? 1 : 0;
      if (part) partRows += 1;
      else sample.added(row);
      return row;
    },
    remove(row) {
      touch(row);
      pageOf[row] = NOBODY;
      partRows -= isPart[row]!;
      free.push(row);
      sample.removed(row);
    },
    background(query) {
      const now = inMemory();
      const cosines = sample
        .rows(rows, row => pageOf[row] !== NOBODY && isPart[row] === 0)
        .map(row => cosine(now, row, query));
      if (cosines.length < FEWEST_SAMPLES) return null;
      const mean = cosines.reduce((sum, one) => sum + one, 0) / cosines.length;
      const deviation = Math.sqrt(cosines.reduce((sum, one) => sum + (one - mean) ** 2, 0) / cosines.length);
      return deviation > 1e-6 ? { mean, deviation } : null;
    },
    nearest(asked) {
      const course = asks(asked);
      for (let step = course.next(); ; step = course.next(candidates(kernels, inMemory(), step.value)))
        if (step.done) return step.value;
    },
    async nearestElsewhere(asked, scan, settle) {
      const changed = new Set<number>();
      watches.add(changed);
      try {
        // Whoever asks next writes into the same mask.
        const course = asks({ ...asked, pages: asked.pages.slice() });
        for (let step = course.next(); ;) {
          if (step.done) return step.value;
          const found = joined(await scan({ ...inMemory(), id, memories }, step.value));
          settle();
          if (found.rows.some(row => changed.has(row))) return null;
          step = course.next(found);
        }
      } finally {
        watches.delete(changed);
      }
    },
    estimate({ pages }) {
      const share = shareOf(pageOf, pages, 0, rows);
      return share >= MANY ? rows * stride * BYTE_MS : rows * (ROW_MS + share * stride * FAR_BYTE_MS);
    },
  };
}

/** Scans number `at` over both memories; see `scanKernel`. */
export const kernelsOf = ({ upper, lower }: Memories, at: number): Kernels => ({
  upper: scanKernel(upper, at),
  lower: scanKernel(lower, at),
});

const joined = (found: readonly Candidates[]): Candidates =>
  found.length === 1
    ? found[0]!
    : {
        rows: Uint32Array.from(found.flatMap(({ rows }) => [...rows])),
        cosines: Float64Array.from(found.flatMap(({ cosines }) => [...cosines])),
      };

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
