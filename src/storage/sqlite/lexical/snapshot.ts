import type { Db } from '../database.ts';
import { readPairs } from './codec.ts';

/** What a document number stands for, as arrays by number. */
export interface Docs {
  /** 0: no such document any more; else twice (access class + 1), plus 1 for pages of a scenario. */
  marks: Uint32Array;
  blockIds: Float64Array;
  lengths: Uint16Array;
}

export interface Recent {
  readonly docs: number[];
  readonly weights: number[];
}

/** The documents of an index as of the last `refresh`, on one connection. */
export interface Snapshot {
  /** Takes in what changed. Call it inside the read transaction that searches. */
  refresh(): void;
  /** Forgets everything, after rows that were read have been rolled back. */
  reset(): void;
  readonly docs: Docs;
  /** Postings count up to this document. */
  sealed(): number;
  /** Documents of a term that are in no postings yet. */
  recent(term: number): Recent | undefined;
  /** Live documents. */
  count(): number;
  /** Whether a number is that of no document any more. */
  lost(): boolean;
  /** Words of a document on average. */
  averageLength(): number;
  /** One more than the highest document number. */
  size(): number;
}

interface DocRow {
  doc_no: number;
  block_id: number;
  access_class: number;
  overlay: number;
  length: number;
}

export function snapshot(db: Db): Snapshot {
  const state = db.prepare<[], { sealed: number; recent_from: number; gone_from: number; epoch: number }>(
    'SELECT sealed, recent_from, gone_from, epoch FROM lexical',
  );
  const all = db
    .prepare<[], [number, number, number, number, number]>(
      'SELECT doc_no, block_id, access_class, overlay, length FROM doc',
    )
    .raw();
  const newer = db.prepare<[number], DocRow & { terms: Buffer }>(
    'SELECT doc_no, block_id, access_class, overlay, length, terms FROM recent_doc WHERE doc_no > ? ORDER BY doc_no',
  );
  const gone = db.prepare<[number], { seq: number; doc_no: number }>(
    'SELECT seq, doc_no FROM gone_doc WHERE seq > ? ORDER BY seq',
  );
  const lastSeq = db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM gone_doc').pluck();
  const docs: Docs = { marks: new Uint32Array(0), blockIds: new Float64Array(0), lengths: new Uint16Array(0) };
  let loaded = false;
  let epoch = 0;
  let sealed = 0;
  let lastDoc = 0;
  let lastGone = 0;
  let recent = new Map<number, { docs: number[]; weights: number[] }>();
  let count = 0;
  let words = 0;

  function room(doc: number): void {
    if (doc < docs.marks.length) return;
    const size = Math.max(1024, doc + 1, Math.ceil(docs.marks.length * 1.5));
    docs.marks = grown(docs.marks, new Uint32Array(size));
    docs.blockIds = grown(docs.blockIds, new Float64Array(size));
    docs.lengths = grown(docs.lengths, new Uint16Array(size));
  }

  function add(doc: number, blockId: number, accessClass: number, overlay: number, length: number): void {
    room(doc);
    docs.marks[doc] = (accessClass + 1) * 2 + overlay;
    docs.blockIds[doc] = blockId;
    docs.lengths[doc] = length;
    count += 1;
    words += length;
    if (doc > lastDoc) lastDoc = doc;
  }

  function drop(doc: number): void {
    if (!docs.marks[doc]) return;
    docs.marks[doc] = 0;
    count -= 1;
    words -= docs.lengths[doc]!;
  }

  function addTerms(doc: number, terms: Buffer): void {
    readPairs(terms, (term, weight) => {
      const list = recent.get(term);
      if (list) {
        list.docs.push(doc);
        list.weights.push(weight);
      } else recent.set(term, { docs: [doc], weights: [weight] });
    });
  }

  function load(): void {
    docs.marks.fill(0);
    [count, words, lastDoc] = [0, 0, 0];
    recent = new Map();
    for (const [doc, blockId, accessClass, overlay, length] of all.iterate()) {
      add(doc, blockId, accessClass, overlay, length);
    }
    for (const row of newer.iterate(sealed)) addTerms(row.doc_no, row.terms);
    lastGone = lastSeq.get()!;
    loaded = true;
  }

  function catchUp(): void {
    for (const row of newer.iterate(lastDoc)) {
      add(row.doc_no, row.block_id, row.access_class, row.overlay, row.length);
      addTerms(row.doc_no, row.terms);
    }
    for (const { seq, doc_no } of gone.iterate(lastGone)) {
      drop(doc_no);
      lastGone = seq;
    }
  }

  /** What postings hold from now on. */
  function forgetSealed(): void {
    for (const [term, list] of recent) {
      const from = list.docs.findIndex(doc => doc > sealed);
      if (from < 0) recent.delete(term);
      else if (from > 0) recent.set(term, { docs: list.docs.slice(from), weights: list.weights.slice(from) });
    }
  }

  return {
    refresh() {
      const now = state.get()!;
      const moved = now.sealed !== sealed;
      sealed = now.sealed;
      if (!loaded || epoch !== now.epoch || lastDoc < now.recent_from || lastGone < now.gone_from) {
        load();
        epoch = now.epoch;
        return;
      }
      catchUp();
      if (moved) forgetSealed();
    },
    reset() {
      loaded = false;
    },
    docs,
    sealed: () => sealed,
    recent: term => recent.get(term),
    count: () => count,
    lost: () => count < lastDoc,
    averageLength: () => (count === 0 ? 1 : Math.max(1, words / count)),
    size: () => lastDoc + 1,
  };
}

function grown<T extends Uint32Array | Float64Array | Uint16Array>(old: T, bigger: T): T {
  bigger.set(old);
  return bigger;
}
