import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

export interface WalFile {
  /** Resolves when everything that was committed before the call survives a power cut. Runs off the event loop. */
  sync(): Promise<void>;
  syncNow(): void;
  close(): void;
}

const syncData = promisify(fdatasync);

/**
 * The WAL of an open database. A commit with `synchronous = NORMAL` has written its frames when it returns; the sync that
 * FULL would do in the same call is done here, by a thread of the pool. SQLite still syncs by itself before it writes over
 * a WAL that was checkpointed, and it keeps this very file as long as a connection is open. Closing this handle drops no
 * lock: SQLite locks the database and its shm file, never the WAL.
 */
export function walFile(databasePath: string): WalFile {
  const fd = openSync(`${databasePath}-wal`, 'r');
  return { sync: () => syncData(fd), syncNow: () => fdatasyncSync(fd), close: () => closeSync(fd) };
}
