import { SLOTS } from '../index/tables.ts';
import { stateOf, type Reach } from './reach.ts';
import type { Scored } from './scorer.ts';
import type { Snapshot } from './snapshot.ts';

export interface Best {
  readonly doc: number;
  readonly score: number;
  readonly answered: number;
}

const FIRST_LOOK = 64;

/**
 * The best documents that pass the filter, best first; of equal ones those of the newest page first. Documents that answer all of
 * `every` (bits, 0 for none) come before the others. Only documents near the top are asked for, more when too few pass.
 */
export function bestOf(scored: Scored, snapshot: Snapshot, reach: Reach, every: number, limit: number): Best[] {
  const { size, docs, scores, bits } = scored;
  const { blockIds } = snapshot.docs;
  const whole = (doc: number): number => (every !== 0 && (bits[doc]! & every) === every ? 1 : 0);
  const before = (a: number, b: number): number =>
    whole(b) - whole(a) || scores[b]! - scores[a]! || byPlace(blockIds[a]!, blockIds[b]!);
  for (let look = Math.max(FIRST_LOOK, limit); ; look *= 8) {
    const top = look >= size ? Array.from(docs.subarray(0, size)) : highest(scored, look, every, before);
    top.sort(before);
    const passed: number[] = [];
    for (const doc of top) {
      if (passed.length === limit) break;
      if (stateOf(reach, snapshot.docs, doc) === 1 || reach.passes(blockIds[doc]!)) passed.push(doc);
    }
    if (passed.length < limit && look < size) continue;
    const rest = passed.find(doc => whole(doc) === 0);
    const lift = rest === undefined ? 0 : scores[rest]!;
    return passed.map(doc => ({ doc, score: scores[doc]! + whole(doc) * lift, answered: bits[doc]! }));
  }
}

/** Newer pages first, blocks of a page in the order of their ids. */
function byPlace(a: number, b: number): number {
  return Math.floor(b / SLOTS) - Math.floor(a / SLOTS) || a - b;
}

/** The first `count` in that order, themselves in no order: a heap whose root is the last of them. */
function highest(scored: Scored, count: number, every: number, before: (a: number, b: number) => number): number[] {
  const { size, docs, scores, bits } = scored;
  const heap = Array.from(docs.subarray(0, count)).sort((a, b) => before(b, a));
  let least = scores[heap[0]!]!;
  for (let at = count; at < size; at++) {
    const doc = docs[at]!;
    // Most are told apart from the best by their score alone.
    if (scores[doc]! < least && (every === 0 || (bits[doc]! & every) !== every)) continue;
    if (before(doc, heap[0]!) >= 0) continue;
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= count) break;
      if (child + 1 < count && before(heap[child + 1]!, heap[child]!) > 0) child += 1;
      if (before(heap[child]!, doc) <= 0) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = doc;
    least = scores[heap[0]!]!;
  }
  return heap;
}
