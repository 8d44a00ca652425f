import Database from 'better-sqlite3';
import { rmSync } from 'node:fs';
import type { Log } from '../../../kernel/log.ts';
import { openDatabase, type Db } from '../database.ts';
import { schemaVersion } from '../migrate.ts';
import { VECTORS_SCHEMA, VECTORS_TABLES } from './tables.ts';

const CACHE_MIB = 32;

/** Opens vectors.sqlite. It is derived: a file of another schema or an unreadable one is thrown away and made anew. */
export function openVectorsFile(path: string, log: Log): Db {
  const found = openUsable(path, log);
  if (found) return found;
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const db = openDatabase(path, CACHE_MIB);
  db.transaction(() => {
    db.exec(VECTORS_TABLES);
    db.pragma(`user_version = ${VECTORS_SCHEMA}`);
  }).immediate();
  return db;
}

function openUsable(path: string, log: Log): Db | undefined {
  let db: Db | undefined;
  try {
    db = openDatabase(path, CACHE_MIB);
    const version = schemaVersion(db);
    if (version === VECTORS_SCHEMA) return db;
    if (version !== 0) log.warn({ schema: version }, 'stored vectors have another schema, they are made anew');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    log.warn({ err: error }, 'stored vectors are unreadable, they are made anew');
  }
  db?.close();
  return undefined;
}
