import type { Worker } from 'node:worker_threads';

/** What a thread says to the question with that id. */
export type Answered<A> = { readonly id: number; readonly answer: A } | { readonly id: number; readonly error: string };

export interface AskingThread<Q extends object, A> {
  /** Rejects as the thread does, and when it ends. */
  ask(question: Q): Promise<A>;
  stop(): Promise<void>;
}

/**
 * A thread that is asked by messages `{id, …question}` and answers with `Answered`. It is started with the first question, and
 * anew after it ended. `name` stands in the error of those who waited then.
 */
export function askingThread<Q extends object, A>(start: () => Worker, name: string): AskingThread<Q, A> {
  const waiting = new Map<number, { resolve(answer: A): void; reject(error: Error): void }>();
  let nextId = 0;
  let worker: Worker | undefined;

  function started(): Worker {
    const made = start();
    made.on('message', (answered: Answered<A>) => {
      const asked = waiting.get(answered.id);
      waiting.delete(answered.id);
      if ('answer' in answered) asked?.resolve(answered.answer);
      else asked?.reject(new Error(answered.error));
      if (waiting.size === 0) made.unref();
    });
    made.on('error', error => end(made, error));
    made.on('exit', () => end(made, new Error(`the ${name} thread ended`)));
    return made;
  }

  function end(ended: Worker, error: Error): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return {
    ask(question) {
      worker ??= started();
      // It keeps the process alive while somebody waits, and no longer.
      worker.ref();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
        worker!.postMessage({ id, ...question });
      });
    },
    stop: async () => void (await worker?.terminate()),
  };
}
