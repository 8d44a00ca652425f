import type Database from 'better-sqlite3';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

export interface CheckpointThread {
  /** Copies what is in a database's WAL into it, without blocking writers. */
  checkpoint(path: string): Promise<void>;
  stop(): Promise<void>;
}

/** A thread with connections of its own: a checkpoint syncs two files, and the event loop must not wait for that. */
export function checkpointThread(): CheckpointThread {
  const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  let nextId = 0;
  let worker: Worker | undefined;

  function start(): Worker {
    const driver = JSON.stringify(fileURLToPath(import.meta.resolve('better-sqlite3')));
    const code = `(${threadMain})(require(${driver}), require('node:worker_threads'))`;
    const started = new Worker(code, { eval: true, execArgv: [] });
    started.on('message', ({ id, error }: { id: number; error?: string }) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) asked?.resolve();
      else asked?.reject(new Error(error));
      if (waiting.size === 0) started.unref();
    });
    started.on('error', error => fail(error));
    started.on('exit', () => fail(new Error('the checkpoint thread ended')));
    return started;
  }

  function fail(error: Error): void {
    worker = undefined;
    for (const asked of waiting.values()) asked.reject(error);
    waiting.clear();
  }

  return {
    checkpoint(path) {
      worker ??= start();
      // It keeps the process alive while somebody waits, and no longer.
      worker.ref();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
        worker!.postMessage({ id, path });
      });
    },
    stop: async () => void (await worker?.terminate()),
  };
}

/** Runs in the thread. It is handed over as text, so that it needs no loader: nothing from outside exists in here. */
function threadMain(Driver: typeof Database, { parentPort }: typeof import('node:worker_threads')): void {
  const open = new Map<string, Database.Database>();
  parentPort?.on('message', ({ id, path }: { id: number; path: string }) => {
    let answer: { id: number; error?: string } = { id };
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
