import Database from 'better-sqlite3';
import { rmSync } from 'node:fs';
import type { Log } from '../../../kernel/log.ts';
import { openDatabase, type Db } from '../database.ts';
import { schemaVersion } from '../migrate.ts';
import { progressRow } from './progress.ts';
import { INDEX_SCHEMA, INDEX_TABLES } from './tables.ts';

const CACHE_MIB = 64;

/**
 * Opens the derived index. A file of another schema, an unreadable one, or one whose last commit is not in the history of
 * state.sqlite (`shaAt`), is thrown away and made anew, empty.
 */
export function openIndex(path: string, shaAt: (seq: number) => string, log: Log): Db {
  const found = openUsable(path, shaAt, log);
  if (found) return found;
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const db = openDatabase(path, CACHE_MIB);
  db.transaction(() => {
    db.exec(INDEX_TABLES);
    db.pragma(`user_version = ${INDEX_SCHEMA}`);
  }).immediate();
  return db;
}

function openUsable(path: string, shaAt: (seq: number) => string, log: Log): Db | undefined {
  let db: Db | undefined;
  try {
    db = openDatabase(path, CACHE_MIB);
    const version = schemaVersion(db);
    if (version === INDEX_SCHEMA) {
      const { applied_seq, applied_sha } = progressRow(db).read();
      if (shaAt(applied_seq) === applied_sha) return db;
      log.warn({ applied_seq }, 'index belongs to another history, it is made anew');
    } else if (version !== 0) log.warn({ schema: version }, 'index has another schema, it is made anew');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    log.warn({ err: error }, 'index is unreadable, it is made anew');
  }
  db?.close();
  return undefined;
}
