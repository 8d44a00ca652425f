import Database from 'better-sqlite3';
import { openDatabase, type Db } from '../database.ts';
import { StorageRefusal } from '../folder/refusal.ts';
import { migrate } from '../migrate.ts';
import { walFile, type WalFile } from '../wal/wal-file.ts';
import { openDurableView, type DurableView } from './durable-view.ts';
import { STATE_MIGRATIONS } from './tables.ts';

const CACHE_MIB = 32;

export interface State {
  readonly db: Db;
  /** What callers may be shown. */
  readonly view: DurableView;
  readonly wal: WalFile;
  close(): void;
}

/**
 * Opens state.sqlite. Everything that can be read from it is durable on return. Throws StorageRefusal: `schema-too-new`, or
 * `data-folder-unusable` when the file is no database or damaged.
 */
export function openState(path: string): State {
  try {
    return open(path);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new StorageRefusal('data-folder-unusable', `${path}: ${error.message}`);
  }
}

function open(path: string): State {
  const db = openDatabase(path, CACHE_MIB);
  try {
    migrate(db, 'state.sqlite', STATE_MIGRATIONS);
    const wal = walFile(path);
    // A killed process may have left commits that it never synced; readers are about to see them.
    wal.syncNow();
    const view = openDurableView(path);
    return {
      db,
      view,
      wal,
      close() {
        view.db.close();
        wal.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
