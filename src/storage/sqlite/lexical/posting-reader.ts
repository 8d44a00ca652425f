import type { Db } from '../database.ts';
import { readPostings } from './codec.ts';
import type { Snapshot } from './snapshot.ts';
import { PARTS } from './tables.ts';

export interface KnownTerm {
  readonly id: number;
  /** Documents in its lists, some of which may be gone. */
  readonly docs: number;
}

/** Documents of one term; the arrays are used again by the next read. */
export interface Postings {
  readonly size: number;
  readonly docs: Uint32Array;
  readonly weights: Uint8Array;
}

export interface PostingReader {
  term(key: string): KnownTerm | undefined;
  /** Live and gone documents of a term, each once, in rising order. */
  read(term: number): Postings;
}

export function postingReader(db: Db, snapshot: Snapshot): PostingReader {
  const find = db.prepare<[string], { id: number; docs: number }>(
    'SELECT term_id AS id, docs FROM term WHERE term = ?',
  );
  const parts = db
    .prepare<[number, number], Buffer>('SELECT data FROM posting WHERE part_id >= ? AND part_id < ? ORDER BY part_id')
    .pluck();
  let docs = new Uint32Array(4096);
  let weights = new Uint8Array(4096);

  function room(size: number, used: number): void {
    if (size <= docs.length) return;
    const more = Math.max(size, docs.length * 2);
    const [moreDocs, moreWeights] = [new Uint32Array(more), new Uint8Array(more)];
    moreDocs.set(docs.subarray(0, used));
    moreWeights.set(weights.subarray(0, used));
    [docs, weights] = [moreDocs, moreWeights];
  }

  return {
    term(key) {
      const row = find.get(key);
      return row && { id: row.id, docs: row.docs + (snapshot.recent(row.id)?.docs.length ?? 0) };
    },
    read(term) {
      let size = 0;
      for (const data of parts.iterate(term * PARTS, (term + 1) * PARTS)) {
        room(size + data.length, size);
        size = readPostings(data, snapshot.sealed(), docs, weights, size);
      }
      const recent = snapshot.recent(term);
      if (recent) {
        room(size + recent.docs.length, size);
        for (const [at, doc] of recent.docs.entries()) {
          docs[size] = doc;
          weights[size++] = recent.weights[at]!;
        }
      }
      return { size, docs, weights };
    },
  };
}
