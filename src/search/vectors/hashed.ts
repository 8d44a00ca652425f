import { unitVector } from './pool.ts';

/** Numbers of a hashed vector. */
export const HASHED_DIM = 384;
/** Name what `hashedVector` does; a change of it needs another name. */
export const HASHED_REVISION = '1';

const WORD = /[\p{L}\p{N}]+/gu;
const GRAMS = [3, 4, 5];
/** A longer run of letters is no word. */
const LONGEST_WORD = 64;
const MOST_WORDS = 4096;

/**
 * A text by its words and their parts, hashed: near for the same words, for typing errors and for parts of compounds, blind to
 * meaning. Null when there is no letter or digit.
 */
export function hashedVector(text: string): Float32Array | null {
  const sums = new Float32Array(HASHED_DIM);
  const counts = new Map<string, number>();
  for (const [word] of fold(text).matchAll(WORD)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    if (counts.size === MOST_WORDS) break;
  }
  for (const [word, count] of counts) addWord(sums, word.slice(0, LONGEST_WORD), 1 + Math.log(count));
  return unitVector(sums, HASHED_DIM);
}

/** One form for letters with and without marks, so that Müller, MULLER and Mueller are near each other. */
function fold(text: string): string {
  const lower = text.toLowerCase().normalize('NFKD');
  return lower
    .replaceAll(/[aou]\u0308/g, mark => `${mark[0]}e`)
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '');
}

/** A quarter of a word's weight lies in the whole, the rest in its parts. */
function addWord(sums: Float32Array, word: string, weight: number): void {
  addHash(sums, hashOf(word, 0, word.length, 1), weight / Math.sqrt(3));
  const padded = `<${word}>`;
  let parts = 0;
  for (const size of GRAMS) parts += Math.max(0, padded.length - size + 1);
  const share = weight / Math.sqrt(Math.max(1, parts));
  for (const size of GRAMS) {
    for (let at = 0; at + size <= padded.length; at++) addHash(sums, hashOf(padded, at, at + size, size), share);
  }
}

function addHash(sums: Float32Array, hash: number, weight: number): void {
  sums[hash % HASHED_DIM]! += hash & 0x8000_0000 ? -weight : weight;
}

/** FNV-1a over UTF-16 units with a last mix. */
function hashOf(text: string, from: number, to: number, seed: number): number {
  let hash = 0x811c_9dc5 ^ seed;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
