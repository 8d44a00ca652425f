import { blockAnalyser, type BlockText } from '../../../search/index.ts';
import type { Db } from '../database.ts';
import { byteWriter } from './codec.ts';
import { sealer } from './seal.ts';
import { RECENT_DOCS } from './tables.ts';
import { termIds } from './term-ids.ts';

/** What decides who may find the blocks of a page. */
export interface DocReach {
  readonly accessClass: number;
  readonly overlay: boolean;
}

export interface DocWriter {
  /** Indexes a block that is not indexed. */
  add(blockId: number, block: BlockText, reach: DocReach): void;
  /** Indexes a block, in place of what it was indexed with before. */
  put(blockId: number, block: BlockText, reach: DocReach): void;
  remove(blockId: number): void;
  /** Moves waiting documents on into postings, a little at a time. Answers whether there is more to do. */
  step(): boolean;
  /** Has every reader read all of it again, after rows were mended. */
  mended(): void;
  /** After a transaction was rolled back. */
  reload(): void;
}

const MAX_LENGTH = 65_535;
/** When so many times more wait, writers do the work instead of waiting for a quiet moment. */
const TOO_MANY = 3;

/** Writes the lexical tables; `enough` recent documents are moved together. Everything runs inside the caller's transaction. */
export function docWriter(db: Db, enough = RECENT_DOCS): DocWriter {
  let analyse = blockAnalyser();
  const idFor = termIds(db);
  const seal = sealer(db, enough);
  const bytes = byteWriter();
  const find = db.prepare<[number], number>('SELECT doc_no FROM doc WHERE block_id = ?').pluck();
  const insert = db.prepare<[number, number, number, number, number]>(
    'INSERT OR REPLACE INTO doc (block_id, doc_no, access_class, overlay, length) VALUES (?, ?, ?, ?, ?)',
  );
  const drop = db.prepare<[number]>('DELETE FROM doc WHERE block_id = ?');
  const insertRecent = db.prepare<[number, number, number, number, number, Buffer]>(
    'INSERT INTO recent_doc (doc_no, block_id, access_class, overlay, length, terms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const dropRecent = db.prepare<[number]>('DELETE FROM recent_doc WHERE doc_no = ?');
  const insertGone = db.prepare<[number]>('INSERT INTO gone_doc (doc_no) VALUES (?)');
  const highest = db
    .prepare<[], number>(
      `SELECT max((SELECT sealed FROM lexical), (SELECT coalesce(max(doc_no), 0) FROM recent_doc),
         (SELECT coalesce(max(doc_no), 0) FROM gone_doc))`,
    )
    .pluck();
  const mend = db.prepare('UPDATE lexical SET epoch = epoch + 1');
  let last = 0;

  function reload(): void {
    // With it go the numbers of keys.
    analyse = blockAnalyser();
    seal.reset();
    last = highest.get()!;
  }
  reload();

  function remove(blockId: number): void {
    const doc = find.get(blockId);
    if (doc === undefined) return;
    drop.run(blockId);
    dropRecent.run(doc);
    insertGone.run(doc);
    seal.drop(doc);
  }

  const add: DocWriter['add'] = (blockId, block, { accessClass, overlay }) => {
    last += 1;
    const { keys, weights, length } = analyse(block);
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at]!;
      if (key.id === 0) key.id = idFor(key.text);
      bytes.varint(key.id);
      bytes.varint(weights[at]!);
    }
    const row = [accessClass, overlay ? 1 : 0, Math.min(MAX_LENGTH, length)] as const;
    insert.run(blockId, last, ...row);
    insertRecent.run(last, blockId, ...row, bytes.take());
  };

  return {
    add,
    put(blockId, block, reach) {
      remove(blockId);
      add(blockId, block, reach);
    },
    remove,
    step() {
      if (last - seal.sealed() < enough && !seal.sweeping()) return false;
      if (last - seal.sealed() <= TOO_MANY * enough) return seal.step(last);
      while (seal.step(last));
      return false;
    },
    mended: () => void mend.run(),
    reload,
  };
}
