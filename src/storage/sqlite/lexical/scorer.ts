import type { KnownTerm, PostingReader, Postings } from './posting-reader.ts';
import { stateOf, type Reach } from './reach.ts';
import type { Snapshot } from './snapshot.ts';

/** bm25: how soon repetition stops counting, and how much length counts. */
const K1 = 1.2;
const B = 0.5;
const QUARTER = 0.25;

/** One thing wanted, in terms of the index. */
export interface Clause {
  /** Documents with any of these. */
  readonly any: readonly KnownTerm[];
  /** … or with all of these; null when one of them is in no document. */
  readonly all: readonly KnownTerm[] | null;
  readonly weight: number;
  /** Weighed as if it stood in so many documents at the least. */
  readonly atLeast?: number;
  /** Adds nothing to documents that are marked already: they say it in better words. */
  readonly otherwise?: true;
  /** Another thing that whoever answers this answers as well. */
  readonly also?: number;
}

export interface Tally {
  /** Live documents that answer the clause. */
  readonly docs: number;
  /** Those of them in reach, as far as their access class tells. */
  readonly reachable: number;
  /** A few of these, for a closer look. */
  readonly sample: readonly number[];
}

/** Adds up the scores of documents, clause by clause; one question at a time. */
export interface Scorer {
  begin(reach: Reach): void;
  /** `bit` marks the documents that answer, at most 31; so does the clause's own other one. */
  add(clause: Clause, bit: number): Tally;
  touched(): Scored;
}

/** Documents in reach that answer anything; valid until the next `begin`. */
export interface Scored {
  readonly size: number;
  /** In no order. */
  readonly docs: Uint32Array;
  /** By document. */
  readonly scores: Float32Array;
  /** By document: bits of the clauses that it answers. */
  readonly bits: Uint32Array;
}

interface Worth {
  readonly full: number;
  readonly flat: number;
  readonly steep: number;
}

const SAMPLE = 64;
/** More than one of so many documents are cleared faster by clearing all. */
const MANY = 8;

export function scorer(snapshot: Snapshot, postings: PostingReader): Scorer {
  const { docs } = snapshot;
  let scores = new Float32Array(0);
  let bits = new Uint32Array(0);
  let weights = new Float32Array(0);
  let hits = new Uint8Array(0);
  let found = new Uint32Array(0);
  let foundSize = 0;
  let touched = new Uint32Array(0);
  let touchedSize = 0;
  let reach: Reach | undefined;

  function room(size: number): void {
    if (size <= scores.length) return;
    const more = Math.ceil(size * 1.25);
    scores = new Float32Array(more);
    bits = new Uint32Array(more);
    weights = new Float32Array(more);
    hits = new Uint8Array(more);
    found = new Uint32Array(more);
    touched = new Uint32Array(more);
  }

  function collect(term: number): void {
    const list = postings.read(term);
    const { marks } = docs;
    for (let at = 0; at < list.size; at++) {
      const doc = list.docs[at]!;
      if (marks[doc] === 0) continue;
      const before = weights[doc]!;
      if (before === 0) found[foundSize++] = doc;
      // A block of no certain language has a word under several keys: it counts once.
      weights[doc] = Math.max(before, list.weights[at]! * QUARTER);
    }
  }

  /** Documents that all the terms are in. */
  function collectAll(terms: readonly KnownTerm[]): void {
    const rarest = terms.toSorted((a, b) => a.docs - b.docs);
    for (const [turn, { id }] of rarest.entries()) {
      const list = postings.read(id);
      const last = turn === rarest.length - 1;
      for (let at = 0; at < list.size; at++) {
        const doc = list.docs[at]!;
        if (docs.marks[doc] === 0 || hits[doc] !== turn) continue;
        hits[doc] = turn + 1;
        if (!last) continue;
        const before = weights[doc]!;
        if (before === 0) found[foundSize++] = doc;
        weights[doc] = Math.max(before, list.weights[at]! * QUARTER);
      }
    }
    const first = postings.read(rarest[0]!.id);
    for (let at = 0; at < first.size; at++) hits[first.docs[at]!] = 0;
  }

  /** What one occurrence more or less is worth, when so many live documents answer. */
  function worth({ weight, atLeast = 0 }: Clause, live: number): Worth {
    const common = Math.min(snapshot.count(), Math.max(live, atLeast));
    const idf = Math.log(1 + (snapshot.count() - common + 0.5) / (common + 0.5));
    return { full: weight * idf * (K1 + 1), flat: K1 * (1 - B), steep: (K1 * B) / snapshot.averageLength() };
  }

  /** The documents of one list, in one go: most clauses are one key. */
  function tallyList({ size, docs: list, weights: of }: Postings, clause: Clause, bit: number): Tally {
    const { marks, lengths } = docs;
    let live = size;
    if (snapshot.lost()) for (let at = 0; at < size; at++) if (marks[list[at]!] === 0) live -= 1;
    const { full, flat, steep } = worth(clause, live);
    const { states, only } = reach!;
    const mask = maskOf(clause, bit);
    const done = clause.otherwise ? mask : 0;
    const sample: number[] = [];
    let reachable = 0;
    for (let at = 0; at < size; at++) {
      const doc = list[at]!;
      // No document any more is out of reach as well.
      if (!states[marks[doc]!] || (only !== null && !only.has(doc))) continue;
      reachable += 1;
      if (reachable <= SAMPLE) sample.push(doc);
      const tf = of[at]! * QUARTER;
      const before = bits[doc]!;
      if ((before & done) !== 0) continue;
      if (before === 0) touched[touchedSize++] = doc;
      bits[doc] = before | mask;
      scores[doc]! += (full * tf) / (tf + flat + steep * lengths[doc]!);
    }
    return { docs: live, reachable, sample };
  }

  /** The documents that were collected. */
  function tallyFound(clause: Clause, bit: number): Tally {
    const { full, flat, steep } = worth(clause, foundSize);
    const mask = maskOf(clause, bit);
    const done = clause.otherwise ? mask : 0;
    const sample: number[] = [];
    let reachable = 0;
    for (let at = 0; at < foundSize; at++) {
      const doc = found[at]!;
      const tf = weights[doc]!;
      weights[doc] = 0;
      if (stateOf(reach!, docs, doc) === 0) continue;
      reachable += 1;
      if (sample.length < SAMPLE) sample.push(doc);
      const before = bits[doc]!;
      if ((before & done) !== 0) continue;
      if (before === 0) touched[touchedSize++] = doc;
      bits[doc] = before | mask;
      scores[doc]! += (full * tf) / (tf + flat + steep * docs.lengths[doc]!);
    }
    const all = foundSize;
    foundSize = 0;
    return { docs: all, reachable, sample };
  }

  return {
    begin(next) {
      reach = next;
      if (touchedSize > scores.length / MANY) {
        scores.fill(0);
        bits.fill(0);
      } else {
        for (let at = 0; at < touchedSize; at++) {
          scores[touched[at]!] = 0;
          bits[touched[at]!] = 0;
        }
      }
      touchedSize = 0;
      room(snapshot.size());
    },
    add(clause, bit) {
      const { any, all } = clause;
      const together = all !== null && all.length > 0;
      if (any.length === 1 && !together) return tallyList(postings.read(any[0]!.id), clause, bit);
      for (const { id } of any) collect(id);
      if (together) collectAll(all);
      return tallyFound(clause, bit);
    },
    touched: () => ({ size: touchedSize, docs: touched, scores, bits }),
  };
}

const maskOf = ({ also }: Clause, bit: number): number => (1 << bit) | (also === undefined ? 0 : 1 << also);
