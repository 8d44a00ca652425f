import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

export interface WalFile {
  /** Resolves when everything that was committed before the call survives a power cut. Runs off the event loop where that takes time. */
  sync(): Promise<void>;
  syncNow(): void;
  close(): void;
}

const syncData = promisify(fdatasync);

/** A sync that takes no longer holds nobody up: reading one page from the same disk does not take less. */
const QUICK_MS = 0.3;
/** So many in a row make a disk quick; the first that is not makes it slow again. */
const QUICK_IN_A_ROW = 8;

/**
 * The WAL of an open database. A commit with `synchronous = NORMAL` has written its frames when it returns; the sync that
 * FULL would do in the same call is done here, by a thread of the pool where the disk takes its time. SQLite still syncs by itself
 * before it writes over a WAL that was checkpointed, and it keeps this very file as long as a connection is open. Closing this
 * handle drops no lock: SQLite locks the database and its shm file, never the WAL.
 */
export function walFile(databasePath: string): WalFile {
  const fd = openSync(`${databasePath}-wal`, 'r');
  let quick = 0;
  return {
    async sync() {
      const began = performance.now();
      // Waking a thread and being woken by it would take longer.
      if (quick >= QUICK_IN_A_ROW) fdatasyncSync(fd);
      else await syncData(fd);
      quick = performance.now() - began <= QUICK_MS ? quick + 1 : 0;
    },
    syncNow: () => fdatasyncSync(fd),
    close: () => closeSync(fd),
  };
}
