import Database from 'better-sqlite3';
import type { Db } from '../database.ts';

/** What readers of a database may see: commits that a power cut cannot take any more. */
export interface DurableView {
  /** A connection that only reads. */
  readonly db: Db;
  /** From here on reads stay at this moment, whatever is committed; to be called before a commit that is synced later. */
  hold(): void;
  /** Reads see what is committed again. Not to be called while a commit may still be lost. */
  release(): void;
  /** Whether reads stay at a moment; while they do not, the writing connection shows the same. */
  held(): boolean;
}

const CACHE_MIB = 8;

/** Opens the view of a database in WAL mode that is open for writing already. */
export function openDurableView(path: string): DurableView {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  db.pragma(`cache_size = ${-1024 * CACHE_MIB}`);
  const begin = db.prepare('BEGIN');
  const end = db.prepare('COMMIT');
  // A snapshot is taken by the first statement, not by BEGIN.
  const look = db.prepare('SELECT rootpage FROM sqlite_schema LIMIT 1');
  return {
    db,
    hold() {
      if (db.inTransaction) return;
      begin.run();
      look.get();
    },
    release() {
      if (db.inTransaction) end.run();
    },
    held: () => db.inTransaction,
  };
}
