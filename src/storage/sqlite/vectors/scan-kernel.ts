import {
  ADD,
  assemble,
  constant,
  get,
  laneOf,
  loop,
  MULTIPLY,
  NUMBER,
  set,
  SHIFT_LEFT,
  simd,
  SUBTRACT,
  tee,
  VECTOR,
} from './wasm-code.ts';

/** Memory that scans of several threads read; `buffer` is another one after each `grow`. */
export interface ScanMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/**
 * For each 32-bit row number from byte `rows` up to byte `rowsEnd`: the sum of products of `length` signed bytes at `from` + row *
 * `stride` with the query. Rows with a sum of `least` and more are found: row and sum, 32 bits each, one after the other. Answers the
 * byte where they end. `length` is a multiple of 16; at least one row.
 */
export type Scan = (
  rows: number,
  rowsEnd: number,
  from: number,
  stride: number,
  length: number,
  least: number,
) => number;

export const MEMORY_PAGE = 65_536;
export const MOST_PAGES = 65_536;
/** Most numbers that a vector can have. */
export const MOST_NUMBERS = 8192;
/** Rows that one call looks at. */
export const ROWS_AT_ONCE = 2048;
/** Scans that can be under way at once in one memory: each has a page of its own before the vectors. */
export const MOST_SCANS = 16;
/** Where vectors begin. */
export const VECTORS_AT = MOST_SCANS * MEMORY_PAGE;

/** Places within the page of a scan. The query: 16-bit numbers. */
const QUERY = 0;
/** Row numbers to look at: 32 bits each. */
const ROWS = QUERY + 2 * MOST_NUMBERS;
/** Row numbers from 0 on, for rows that lie one behind the other. */
const NUMBERS = ROWS + 4 * ROWS_AT_ONCE;
const FOUND = NUMBERS + 4 * ROWS_AT_ONCE;

/** One scan at a time over a memory. */
export interface ScanKernel {
  readonly scan: Scan;
  readonly query: Int16Array;
  /** To be filled with the numbers of rows. */
  readonly rows: Int32Array;
  /** Where `rows` begins, in bytes. */
  readonly rowsAt: number;
  /** The same for the numbers from 0 on. */
  readonly numbersAt: number;
  /** What the scan found, from byte `foundAt` on. */
  readonly found: Int32Array;
  readonly foundAt: number;
}

/** What Node has and its types do not name. */
interface Engine {
  readonly Memory: new (size: { initial: number; maximum: number; shared: true }) => ScanMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly run: Scan } };
}

const engine = (): Engine => (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;

export const scanMemory = (): ScanMemory =>
  new (engine().Memory)({ initial: VECTORS_AT / MEMORY_PAGE + 1, maximum: MOST_PAGES, shared: true });

/**
 * The scan number `at` of those that a memory has room for. One core compares 100,000 vectors of 384 numbers in less than 2 ms; nothing
 * has to be installed.
 */
export function scanKernel(memory: ScanMemory, at: number): ScanKernel {
  const { Module, Instance } = engine();
  const page = at * MEMORY_PAGE;
  const module = new Module(assemble(6, LOCALS, bodyFor(page + QUERY, page + FOUND), MOST_PAGES));
  const instance = new Instance(module, { env: { memory } });
  const { buffer } = memory;
  new Int32Array(buffer, page + NUMBERS, ROWS_AT_ONCE).forEach((_, i, numbers) => (numbers[i] = i));
  return {
    scan: instance.exports.run,
    query: new Int16Array(buffer, page + QUERY, MOST_NUMBERS),
    rows: new Int32Array(buffer, page + ROWS, ROWS_AT_ONCE),
    rowsAt: page + ROWS,
    numbersAt: page + NUMBERS,
    found: new Int32Array(buffer, page + FOUND, 2 * ROWS_AT_ONCE),
    foundAt: page + FOUND,
  };
}

// Arguments first, then the locals in the order of their types.
const ROW = 0;
const ROWS_END = 1;
const FROM = 2;
const STRIDE = 3;
const LENGTH = 4;
const LEAST = 5;
const OUT = 6;
const BYTE = 7;
const LAST = 8;
const QUERY_BYTE = 9;
const SUM = 10;
const LOW = 11;
const HIGH = 12;
const LOCALS = [NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, VECTOR, VECTOR];

const LOAD_NUMBER = [0x28, 2, 0];
const storeNumber = (offset: number): number[] => [0x36, 2, offset];
const AGAIN_IF_LESS = [0x49, 0x0d, 0];
const LESS_SIGNED = [0x48];
const ADD_LANES = simd(0xae);
/** Products of eight 16-bit numbers, summed in pairs. */
const DOT = simd(0xba);
const ZERO = [simd(0x0c), Array<number>(16).fill(0)].flat();
const load = (address: number, offset: number): number[] => [get(address), simd(0x00), 0, offset].flat();
/** Eight bytes as 16-bit numbers. */
const loadWidened = (address: number, offset: number): number[] => [get(address), simd(0x01), 0, offset].flat();
const advance = (local: number, by: number): number[] => [get(local), constant(by), ADD, set(local)].flat();

/** Adds the products of eight bytes at `offset` with the query to `sum`. */
const addProducts = (sum: number, offset: number): number[] =>
  [get(sum), loadWidened(BYTE, offset), load(QUERY_BYTE, 2 * offset), DOT, ADD_LANES, set(sum)].flat();

const oneRow = (queryAt: number) => [
  [get(FROM), get(ROW), LOAD_NUMBER, get(STRIDE), MULTIPLY, ADD, tee(BYTE)],
  [get(LENGTH), ADD, set(LAST), constant(queryAt), set(QUERY_BYTE), ZERO, tee(LOW), set(HIGH)],
  loop([
    [addProducts(LOW, 0), addProducts(HIGH, 8)],
    [advance(QUERY_BYTE, 32), get(BYTE), constant(16), ADD, tee(BYTE), get(LAST), AGAIN_IF_LESS],
  ]),
  [get(LOW), get(HIGH), ADD_LANES, set(LOW)],
  [laneOf(LOW, 0), laneOf(LOW, 1), ADD, laneOf(LOW, 2), ADD, laneOf(LOW, 3), ADD, set(SUM)],
  // Written in any case, and written over by the next one unless it is found: no branch to guess.
  [get(OUT), get(ROW), LOAD_NUMBER, storeNumber(0), get(OUT), get(SUM), storeNumber(4)],
  [get(OUT), constant(8), get(SUM), get(LEAST), LESS_SIGNED, constant(3), SHIFT_LEFT, SUBTRACT, ADD, set(OUT)],
];

const bodyFor = (queryAt: number, foundAt: number) => [
  [constant(foundAt), set(OUT)],
  loop([oneRow(queryAt), get(ROW), constant(4), ADD, tee(ROW), get(ROWS_END), AGAIN_IF_LESS]),
  get(OUT),
];
