import type Database from 'better-sqlite3';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { askingThread, type Answered } from '../../threads/index.ts';

export interface CheckpointThread {
  /** Copies what is in a database's WAL into it, without blocking writers. */
  checkpoint(path: string): Promise<void>;
  stop(): Promise<void>;
}

/** A thread with connections of its own: a checkpoint syncs two files, and the event loop must not wait for that. */
export function checkpointThread(): CheckpointThread {
  const thread = askingThread<{ path: string }, null>(
    () => {
      const driver = JSON.stringify(fileURLToPath(import.meta.resolve('better-sqlite3')));
      const code = `(${threadMain})(require(${driver}), require('node:worker_threads'))`;
      return new Worker(code, { eval: true, execArgv: [] });
    },
    { name: 'checkpoint' },
  );
  return { checkpoint: async path => void (await thread.ask({ path })), stop: thread.stop };
}

/** Runs in the thread. It is handed over as text, so that it needs no loader: nothing from outside exists in here. */
function threadMain(Driver: typeof Database, { parentPort }: typeof import('node:worker_threads')): void {
  const open = new Map<string, Database.Database>();
  parentPort?.on('message', ({ id, path }: { id: number; path: string }) => {
    let answer: Answered<null> = { id, answer: null };
    try {
      const db = open.get(path) ?? new Driver(path, { fileMustExist: true });
      open.set(path, db);
      db.pragma('synchronous = NORMAL');
      db.pragma('wal_checkpoint(PASSIVE)');
    } catch (error) {
      answer = { id, error: String(error) };
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort.postMessage(answer);
  });
}
