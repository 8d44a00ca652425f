import type { Db } from '../database.ts';
import { byteWriter } from './codec.ts';
import type { TermPostings } from './recent-postings.ts';
import { PARTS } from './tables.ts';

/** A part may grow to this many bytes, so that it stays within a page of the database. */
const BYTES_OF_PART = 3900;

interface Part {
  part_id: number;
  last_doc: number;
  data: Buffer;
}

export interface PostingAppender {
  /** Appends documents to the list of a term, but for those it has and those that are gone. */
  append(postings: TermPostings, gone: ReadonlySet<number>): void;
  /** After a transaction was rolled back. */
  reset(): void;
}

export function postingAppender(db: Db): PostingAppender {
  const lastPart = db.prepare<[number, number], Part>(
    'SELECT part_id, last_doc, data FROM posting WHERE part_id >= ? AND part_id < ? ORDER BY part_id DESC LIMIT 1',
  );
  const grow = db.prepare<[number, Buffer, number]>('UPDATE posting SET last_doc = ?, data = ? WHERE part_id = ?');
  const insert = db.prepare<[number, number, Buffer]>('INSERT INTO posting (part_id, last_doc, data) VALUES (?, ?, ?)');
  const count = db.prepare<[number, number]>('UPDATE term SET docs = docs + ? WHERE term_id = ?');
  const newest = db.prepare<[], number | null>('SELECT max(part_id) FROM posting').pluck();
  const bytes = byteWriter();
  /** No later term has a list: most terms of new pages are as new, and need not be looked for. */
  let lastTerm = 0;

  function reset(): void {
    lastTerm = Math.floor((newest.get() ?? 0) / PARTS);
  }
  reset();

  function save(open: boolean, id: number, last: number): void {
    if (open) grow.run(last, bytes.take(), id);
    else insert.run(id, last, bytes.take());
  }

  function append({ term, docs, weights, from, to }: TermPostings, gone: ReadonlySet<number>): void {
    const part = term > lastTerm ? undefined : lastPart.get(term * PARTS, (term + 1) * PARTS);
    const done = part?.last_doc ?? 0;
    let open = part !== undefined && part.data.length < BYTES_OF_PART;
    let id = part ? part.part_id + (open ? 0 : 1) : term * PARTS;
    let before = open ? done : 0;
    let added = 0;
    if (open) bytes.bytes(part!.data);
    for (let at = from; at < to; at++) {
      const doc = docs[at]!;
      if (doc <= done || gone.has(doc)) continue;
      if (bytes.size() >= BYTES_OF_PART) {
        save(open, id, before);
        open = false;
        id += 1;
        before = 0;
      }
      bytes.varint(doc - before);
      bytes.byte(weights[at]!);
      before = doc;
      added += 1;
    }
    if (added === 0) {
      bytes.take();
      return;
    }
    save(open, id, before);
    count.run(added, term);
    if (term > lastTerm) lastTerm = term;
  }

  return { append, reset };
}
