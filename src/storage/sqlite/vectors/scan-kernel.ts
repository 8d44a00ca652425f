import { ADD, assemble, constant, get, laneOf, loop, MULTIPLY, NUMBER, set, simd, tee, VECTOR } from './wasm-code.ts';

/** Memory that the scan reads; `buffer` is another one after each `grow`. */
export interface ScanMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/**
 * For each 32-bit row number from byte `rows` up to byte `rowsEnd`: the sum of products of `length` signed bytes at `from` + row *
 * `stride` with the query, written to SUMS_AT. `length` is a multiple of 16; at least one row.
 */
export type Scan = (rows: number, rowsEnd: number, from: number, stride: number, length: number) => void;

export const MEMORY_PAGE = 65_536;
export const MOST_PAGES = 65_536;
/** Place of the query: 16-bit numbers. */
export const QUERY_AT = 0;
/** Most numbers that a vector can have. */
export const MOST_NUMBERS = 8192;
/** Rows that one call looks at. */
export const ROWS_AT_ONCE = 4096;
/** Place for their numbers: 32 bits each. */
export const ROWS_AT = QUERY_AT + 2 * MOST_NUMBERS;
/** Place of the sums: 32 bits each, one a row. */
export const SUMS_AT = ROWS_AT + 4 * ROWS_AT_ONCE;
/** Place of the numbers from 0 on, for rows that lie one behind the other. */
export const NUMBERS_AT = SUMS_AT + 4 * ROWS_AT_ONCE;
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
  const instance = new Instance(new Module(assemble(5, LOCALS, BODY)), { env: { memory } });
  new Uint32Array(memory.buffer, NUMBERS_AT, ROWS_AT_ONCE).forEach((_, at, numbers) => (numbers[at] = at));
  return { memory, scan: instance.exports.run };
}

// Arguments first, then the locals in the order of their types.
const ROW = 0;
const ROWS_END = 1;
const FROM = 2;
const STRIDE = 3;
const LENGTH = 4;
const SUM = 5;
const BYTE = 6;
const LAST = 7;
const QUERY = 8;
const LOW = 9;
const HIGH = 10;
const LOCALS = [NUMBER, NUMBER, NUMBER, NUMBER, VECTOR, VECTOR];

const LOAD_NUMBER = [0x28, 2, 0];
const STORE_NUMBER = [0x36, 2, 0];
const AGAIN_IF_LESS = [0x49, 0x0d, 0];
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
  [get(sum), loadWidened(BYTE, offset), load(QUERY, 2 * offset), DOT, ADD_LANES, set(sum)].flat();

const ONE_ROW = [
  [get(FROM), get(ROW), LOAD_NUMBER, get(STRIDE), MULTIPLY, ADD, tee(BYTE)],
  [get(LENGTH), ADD, set(LAST), constant(QUERY_AT), set(QUERY), ZERO, tee(LOW), set(HIGH)],
  loop([
    [addProducts(LOW, 0), addProducts(HIGH, 8)],
    [advance(QUERY, 32), get(BYTE), constant(16), ADD, tee(BYTE), get(LAST), AGAIN_IF_LESS],
  ]),
  [get(LOW), get(HIGH), ADD_LANES, set(LOW), get(SUM)],
  [laneOf(LOW, 0), laneOf(LOW, 1), ADD, laneOf(LOW, 2), ADD, laneOf(LOW, 3), ADD, STORE_NUMBER],
];

const BODY = [
  [constant(SUMS_AT), set(SUM)],
  loop([ONE_ROW, advance(SUM, 4), get(ROW), constant(4), ADD, tee(ROW), get(ROWS_END), AGAIN_IF_LESS]),
];
