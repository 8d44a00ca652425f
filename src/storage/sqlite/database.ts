import Database from 'better-sqlite3';
import { dirname } from 'node:path';
import { makePrivate, makePrivateIfThere, syncFolderNow } from './folder/private-file.ts';

export type Db = Database.Database;

/**
 * Opens one database file for writing, 0600 with its companions, in WAL mode without a sync at commit: whoever needs
 * durability syncs the WAL (`walFile`). Checkpoints are left to `checkpointer`. The file's name is durable on return.
 */
export function openDatabase(path: string, cacheMiB: number): Db {
  for (const file of [`${path}-wal`, `${path}-shm`]) makePrivateIfThere(file);
  makePrivate(path);
  const db = new Database(path);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('wal_autocheckpoint = 0');
    db.pragma('temp_store = MEMORY');
    db.pragma(`cache_size = ${-1024 * cacheMiB}`);
    db.pragma('user_version');
    syncFolderNow(dirname(path));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
