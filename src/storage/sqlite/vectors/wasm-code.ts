/** Instructions and what they hold, nested as it reads best. */
export type Code = readonly (number | Code)[];

export const NUMBER = 0x7f;
export const VECTOR = 0x7b;
export const ADD = [0x6a];
export const SUBTRACT = [0x6b];
export const MULTIPLY = [0x6c];
export const SHIFT_LEFT = [0x74];

export const get = (local: number): number[] => [0x20, local];
export const set = (local: number): number[] => [0x21, local];
/** Sets and keeps the value. */
export const tee = (local: number): number[] => [0x22, local];
export const constant = (value: number): number[] => [0x41, ...signed(value)];
export const simd = (instruction: number): number[] => [0xfd, ...unsigned(instruction)];
/** One of the four 32-bit numbers of a vector. */
export const laneOf = (local: number, at: number): number[] => [...get(local), ...simd(0x1b), at];
export const loop = (body: Code): Code => [0x03, 0x40, body, 0x0b];

/** `\0asm`, version 1. */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/**
 * A module with one function `run` of so many 32-bit arguments and one 32-bit result, over the shared memory `env.memory` of at most
 * so many pages.
 */
export function assemble(args: number, locals: readonly number[], body: Code, mostPages: number): Uint8Array {
  const code = [...list(locals.map(type => [1, type])), ...flat(body), 0x0b];
  return new Uint8Array([
    ...HEADER,
    ...section(1, [0x60, ...list(Array.from({ length: args }, () => [NUMBER])), ...list([[NUMBER]])]),
    ...section(2, [...name('env'), ...name('memory'), 0x02, 0x03, 1, ...unsigned(mostPages)]),
    ...section(3, [0]),
    ...section(7, [...name('run'), 0x00, 0]),
    ...section(10, [...unsigned(code.length), ...code]),
  ]);
}

const flat = (code: Code): number[] => code.flatMap(one => (typeof one === 'number' ? [one] : flat(one)));
const list = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];
const name = (text: string): number[] => list(Array.from(text, letter => [letter.charCodeAt(0)]));

function section(id: number, only: readonly number[]): number[] {
  const content = list([only]);
  return [id, ...unsigned(content.length), ...content];
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

/** Of a value that is not negative. */
function signed(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...signed(value >>> 7)];
}
