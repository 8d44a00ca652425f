import Database from 'better-sqlite3';
import { rmSync } from 'node:fs';
import type { Log } from '../../../kernel/log.ts';
import { openDatabase, type Db } from '../database.ts';
import { migrate, schemaVersion } from '../migrate.ts';
import { VECTORS_STEPS } from './tables.ts';

const CACHE_MIB = 32;
const NAME = 'vectors.sqlite';

/** Opens vectors.sqlite. It is derived: a file of a later schema or an unreadable one is thrown away and made anew. */
export function openVectorsFile(path: string, log: Log): Db {
  const found = openUsable(path, log);
  if (found) return found;
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const db = openDatabase(path, CACHE_MIB);
  migrate(db, NAME, VECTORS_STEPS);
  return db;
}

function openUsable(path: string, log: Log): Db | undefined {
  let db: Db | undefined;
  try {
    db = openDatabase(path, CACHE_MIB);
    const version = schemaVersion(db);
    if (version > 0 && version <= VECTORS_STEPS.length) {
      migrate(db, NAME, VECTORS_STEPS);
      return db;
    }
    if (version !== 0) log.warn({ schema: version }, 'stored vectors have another schema, they are made anew');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    log.warn({ err: error }, 'stored vectors are unreadable, they are made anew');
  }
  db?.close();
  return undefined;
}
