import { openDatabase, type Db } from '../database.ts';
import { migrate } from '../migrate.ts';
import { walFile, type WalFile } from '../wal/wal-file.ts';
import { STATE_MIGRATIONS } from './tables.ts';

const CACHE_MIB = 32;

export interface State {
  readonly db: Db;
  readonly wal: WalFile;
  close(): void;
}

/** Opens state.sqlite. Everything that can be read from it is durable on return. Throws StorageRefusal `schema-too-new`. */
export function openState(path: string): State {
  const db = openDatabase(path, CACHE_MIB);
  try {
    migrate(db, 'state.sqlite', STATE_MIGRATIONS);
    const wal = walFile(path);
    // A killed process may have left commits that it never synced; readers are about to see them.
    wal.syncNow();
    return {
      db,
      wal,
      close() {
        wal.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
