import type { Db } from '../database.ts';
import { readPairs } from './codec.ts';

/** Documents of one term in rising order, as parts `from` to `to` of shared arrays. */
export interface TermPostings {
  readonly term: number;
  readonly docs: Uint32Array;
  readonly weights: Uint8Array;
  readonly from: number;
  readonly to: number;
}

const DOCS_AT_ONCE = 1024;

/** The words of recent documents after `from` up to `to`, to be put in order by term. */
export function recentPostings(db: Db, from: number, to: number) {
  const read = db.prepare<[number, number, number], { doc_no: number; terms: Buffer }>(
    'SELECT doc_no, terms FROM recent_doc WHERE doc_no > ? AND doc_no <= ? ORDER BY doc_no LIMIT ?',
  );
  let docs = new Uint32Array(65_536);
  let terms = new Uint32Array(65_536);
  let weights = new Uint8Array(65_536);
  let size = 0;
  let highest = 0;
  let done = from;

  function add(doc: number, term: number, weight: number): void {
    if (size === docs.length) {
      docs = doubled(docs, new Uint32Array(size * 2));
      terms = doubled(terms, new Uint32Array(size * 2));
      weights = doubled(weights, new Uint8Array(size * 2));
    }
    docs[size] = doc;
    terms[size] = term;
    weights[size++] = weight;
    if (term > highest) highest = term;
  }

  return {
    /** Reads some of them; false when all are read. */
    gather(): boolean {
      if (done >= to) return false;
      const rows = read.all(done, to, DOCS_AT_ONCE);
      for (const row of rows) readPairs(row.terms, (term, weight) => add(row.doc_no, term, weight));
      done = rows.length < DOCS_AT_ONCE ? to : rows.at(-1)!.doc_no;
      return true;
    },
    /** Each term once, by its id. */
    *lists(): Generator<TermPostings> {
      const ends = new Uint32Array(highest + 2);
      for (let at = 0; at < size; at++) ends[terms[at]! + 1]! += 1;
      for (let term = 1; term < ends.length; term++) ends[term]! += ends[term - 1]!;
      const [sortedDocs, sortedWeights] = [new Uint32Array(size), new Uint8Array(size)];
      const next = ends.slice();
      for (let at = 0; at < size; at++) {
        const place = next[terms[at]!]!++;
        sortedDocs[place] = docs[at]!;
        sortedWeights[place] = weights[at]!;
      }
      for (let term = 0; term <= highest; term++) {
        const [start, end] = [ends[term]!, ends[term + 1]!];
        if (end > start) yield { term, docs: sortedDocs, weights: sortedWeights, from: start, to: end };
      }
    },
  };
}

function doubled<T extends Uint32Array | Uint8Array>(old: T, bigger: T): T {
  bigger.set(old);
  return bigger;
}
