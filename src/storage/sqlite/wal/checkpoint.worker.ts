import Database from 'better-sqlite3';
import { parentPort } from 'node:worker_threads';

/** Answers `{ id }`, or `{ id, error }`, to `{ id, path }` when a passive checkpoint of that file is over. */
const open = new Map<string, Database.Database>();

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const answer = (message: object): void => parentPort?.postMessage(message);

parentPort?.on('message', ({ id, path }: { id: number; path: string }) => {
  try {
    const db = open.get(path) ?? new Database(path, { fileMustExist: true });
    open.set(path, db);
    db.pragma('synchronous = NORMAL');
    db.pragma('wal_checkpoint(PASSIVE)');
    answer({ id });
  } catch (error) {
    answer({ id, error: String(error) });
  }
});
