import type { Db } from '../database.ts';
import { byteWriter, readPostings } from './codec.ts';
import { PARTS } from './tables.ts';

const TERMS_AT_ONCE = 128;

/** Takes documents that are gone out of the lists, some terms at a time; what is taken out can never come back. */
export interface PostingSweep {
  /** Sweeps some terms; false when all are swept. */
  step(): boolean;
}

export function postingSweep(db: Db): PostingSweep {
  const live = db.prepare<[], number>('SELECT doc_no FROM doc').pluck();
  const highest = db.prepare<[], number>('SELECT coalesce(max(doc_no), 0) FROM doc').pluck();
  const next = db.prepare<[number, number], { term_id: number }>(
    'SELECT term_id FROM term WHERE term_id > ? AND docs > 0 ORDER BY term_id LIMIT ?',
  );
  const parts = db.prepare<[number, number], { part_id: number; data: Buffer }>(
    'SELECT part_id, data FROM posting WHERE part_id >= ? AND part_id < ? ORDER BY part_id',
  );
  const change = db.prepare<[number, Buffer, number]>('UPDATE posting SET last_doc = ?, data = ? WHERE part_id = ?');
  const drop = db.prepare<[number]>('DELETE FROM posting WHERE part_id = ?');
  const count = db.prepare<[number, number]>('UPDATE term SET docs = ? WHERE term_id = ?');
  const isLive = new Uint8Array(highest.get()! + 1);
  for (const doc of live.iterate()) isLive[doc] = 1;
  const bytes = byteWriter();
  const docs = new Uint32Array(4096);
  const weights = new Uint8Array(4096);
  let done = 0;

  function sweep(term: number): void {
    let kept = 0;
    let changed = false;
    const rows = parts.all(term * PARTS, (term + 1) * PARTS);
    for (const { part_id, data } of rows) {
      const size = readPostings(data, Infinity, docs, weights, 0);
      let before = 0;
      let left = 0;
      for (let at = 0; at < size; at++) {
        const doc = docs[at]!;
        // Documents that came after the look at them count as live.
        if (doc < isLive.length && isLive[doc] === 0) continue;
        bytes.varint(doc - before);
        bytes.byte(weights[at]!);
        before = doc;
        left += 1;
      }
      const rest = bytes.take();
      kept += left;
      if (left === size) continue;
      changed = true;
      if (left === 0) drop.run(part_id);
      else change.run(before, rest, part_id);
    }
    if (changed) count.run(kept, term);
  }

  return {
    step() {
      const terms = next.all(done, TERMS_AT_ONCE);
      for (const { term_id } of terms) sweep(term_id);
      done = terms.at(-1)?.term_id ?? done;
      return terms.length === TERMS_AT_ONCE;
    },
  };
}
