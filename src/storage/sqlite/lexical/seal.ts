import type { Db } from '../database.ts';
import { byteWriter } from './codec.ts';
import { PARTS } from './tables.ts';

/** A part may grow to this many bytes, so that it stays within a page of the database. */
const BYTES_OF_PART = 3900;
const TERMS_AT_ONCE = 256;

export interface Sealer {
  /** The last document that postings answer for. */
  sealed(): number;
  add(term: number, doc: number, weight: number): void;
  /** Keeps a document that waits out of the postings. */
  drop(doc: number): void;
  /** Appends some of what waits up to `last`; false when that is done, and counts from then on. */
  step(last: number): boolean;
  /** Drops what waits, after a transaction was rolled back. */
  reset(): void;
}

interface List {
  readonly docs: number[];
  readonly weights: number[];
}

interface Part {
  part_id: number;
  last_doc: number;
  data: Buffer;
}

/**
 * Moves waiting documents into postings: lists of terms are appended to a few at a time, over several transactions, and count
 * only when all of them are through. A crash in between leaves parts that are ahead; they are not appended to twice.
 */
export function sealer(db: Db): Sealer {
  const state = db.prepare<[], number>('SELECT sealed FROM lexical').pluck();
  const lastPart = db.prepare<[number, number], Part>(
    'SELECT part_id, last_doc, data FROM posting WHERE part_id >= ? AND part_id < ? ORDER BY part_id DESC LIMIT 1',
  );
  const grow = db.prepare<[number, Buffer, number]>('UPDATE posting SET last_doc = ?, data = ? WHERE part_id = ?');
  const insert = db.prepare<[number, number, Buffer]>('INSERT INTO posting (part_id, last_doc, data) VALUES (?, ?, ?)');
  const count = db.prepare<[number, number]>('UPDATE term SET docs = docs + ? WHERE term_id = ?');
  const finish = db.prepare<[{ sealed: number }]>(
    `UPDATE lexical SET recent_from = sealed, sealed = :sealed, gone_from = coalesce((SELECT max(seq) FROM gone_doc), gone_from) - 1000
     WHERE id = 1`,
  );
  const dropRecent = db.prepare('DELETE FROM recent_doc WHERE doc_no <= (SELECT recent_from FROM lexical)');
  const dropGone = db.prepare('DELETE FROM gone_doc WHERE seq <= (SELECT gone_from FROM lexical)');
  const bytes = byteWriter();
  let sealed = state.get()!;
  let waiting = new Map<number, List>();
  let gone = new Set<number>();
  let running: { upTo: number; lists: Iterator<[number, List]> } | undefined;

  function append(term: number, { docs, weights }: List): void {
    const part = lastPart.get(term * PARTS, (term + 1) * PARTS);
    let before = part?.last_doc ?? 0;
    const done = before;
    let open = part !== undefined && part.data.length < BYTES_OF_PART;
    let id = part ? part.part_id + (open ? 0 : 1) : term * PARTS;
    if (open) bytes.bytes(part!.data);
    else before = 0;
    let added = 0;
    const save = (): void => {
      const data = bytes.take();
      if (open) grow.run(before, data, id);
      else insert.run(id, before, data);
    };
    for (const [at, doc] of docs.entries()) {
      if (doc <= done || gone.has(doc)) continue;
      if (bytes.size() >= BYTES_OF_PART) {
        save();
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
    save();
    count.run(added, term);
  }

  return {
    sealed: () => sealed,
    add(term, doc, weight) {
      const list = waiting.get(term);
      if (list) {
        list.docs.push(doc);
        list.weights.push(weight);
      } else waiting.set(term, { docs: [doc], weights: [weight] });
    },
    drop: doc => void gone.add(doc),
    step(last) {
      if (!running) {
        running = { upTo: last, lists: waiting.entries() };
        waiting = new Map();
      }
      for (let n = 0; n < TERMS_AT_ONCE; n++) {
        const { value, done } = running.lists.next();
        if (!done) {
          append(...(value as [number, List]));
          continue;
        }
        finish.run({ sealed: running.upTo });
        dropRecent.run();
        dropGone.run();
        sealed = running.upTo;
        for (const doc of gone) if (doc <= sealed) gone.delete(doc);
        running = undefined;
        return false;
      }
      return true;
    },
    reset() {
      sealed = state.get()!;
      waiting = new Map();
      gone = new Set();
      running = undefined;
    },
  };
}
