import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

export interface CheckpointThread {
  /** Copies what is in a database's WAL into it, without blocking writers; resolves to the frames left over. */
  checkpoint(path: string): Promise<number>;
  stop(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly left?: number;
  readonly error?: string;
}

/** A thread with connections of its own: a checkpoint syncs two files, and the event loop must not wait for that. */
export function checkpointThread(): CheckpointThread {
  const waiting = new Map<number, { resolve(left: number): void; reject(error: Error): void }>();
  let nextId = 0;
  let worker: Worker | undefined;

  function start(): Worker {
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const started = new Worker(new URL(`./checkpoint.worker${extension}`, import.meta.url), {
      execArgv: extension === '.ts' ? ['--import', typescriptLoader()] : [],
    });
    started.unref();
    started.on('message', ({ id, left, error }: Answer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) asked?.resolve(left ?? 0);
      else asked?.reject(new Error(error));
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

/** Sources run as they are in development; a thread does not inherit a loader that was registered in code. */
function typescriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
