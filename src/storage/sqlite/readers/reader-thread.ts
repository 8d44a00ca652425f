import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LexicalAnswer } from '../../../search/ports.ts';
import type { Answered, Asked, ReaderData } from './messages.ts';

export interface ReaderThread {
  /** One question at a time. Rejects when the thread ends or the index cannot be read. */
  ask(question: Omit<Asked, 'id'>): Promise<LexicalAnswer>;
  stop(): Promise<void>;
}

/** A thread with a reading connection; started with the first question, and anew after it ended. */
export function readerThread(data: ReaderData): ReaderThread {
  const waiting = new Map<number, { resolve(answer: LexicalAnswer): void; reject(error: Error): void }>();
  let nextId = 0;
  let worker: Worker | undefined;

  function start(): Worker {
    const kind = extname(import.meta.url);
    const entry = new URL(`./reader.worker${kind}`, import.meta.url);
    const built = { workerData: data, execArgv: [] };
    const started = kind === '.ts' ? new Worker(loaded(entry), { ...built, eval: true }) : new Worker(entry, built);
    started.on('message', (answered: Answered) => {
      const asked = waiting.get(answered.id);
      waiting.delete(answered.id);
      if ('answer' in answered) asked?.resolve(answered.answer);
      else asked?.reject(new Error(answered.error));
      if (waiting.size === 0) started.unref();
    });
    started.on('error', error => end(started, error));
    started.on('exit', () => end(started, new Error('the reading thread ended')));
    return started;
  }

  function end(ended: Worker, error: Error): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return {
    ask(question) {
      worker ??= start();
      // It keeps the process alive while somebody waits, and no longer.
      worker.ref();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        const asked: Asked = { id, ...question };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
        worker!.postMessage(asked);
      });
    },
    stop: async () => void (await worker?.terminate()),
  };
}

/** Sources that are not built need a loader, which a thread does not take over from its process. */
const loaded = (entry: URL): string =>
  `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => (register(), import(${JSON.stringify(entry)})))`;
