import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface CheckpointThread {
  /** Copies what is in a database's WAL into it, without blocking writers. */
  checkpoint(path: string): Promise<void>;
  stop(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly error?: string;
}

/** A thread with connections of its own: a checkpoint syncs two files, and the event loop must not wait for that. */
export function checkpointThread(): CheckpointThread {
  const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  let nextId = 0;
  let worker: Worker | undefined;

  function start(): Worker {
    const script = new URL(`./checkpoint.worker${extname(import.meta.url)}`, import.meta.url);
    const started = script.pathname.endsWith('.ts') ? fromSource(script) : new Worker(script);
    started.unref();
    started.on('message', ({ id, error }: Answer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) asked?.resolve();
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

/** Runs a source as it is, in development: a thread does not inherit a loader that was registered in code. */
function fromSource(script: URL): Worker {
  const loader = import.meta.resolve('tsx/esm/api');
  const start = `import(${JSON.stringify(loader)}).then(({ register }) => (register(), import(${JSON.stringify(script.href)})))`;
  return new Worker(start, { eval: true, execArgv: [] });
}
