import type { Worker } from 'node:worker_threads';

/** What a thread says to the question with that id. */
export type Answered<A> = { readonly id: number; readonly answer: A } | { readonly id: number; readonly error: string };

/** Questions that a thread has not answered yet. They keep the process alive, and the thread alone does not. */
export interface OpenQuestions<A> {
  /**
   * Sends `{id, …question}`. Rejects with the fault of what the thread says or ends with, and with the reason of `signal`, after which
   * the thread is sent `{cancel: id}`.
   */
  ask(question: object, signal?: AbortSignal): Promise<A>;
  hear(answered: Answered<A>): void;
  /** Rejects everybody who waits. */
  end(error: Error): void;
  count(): number;
}

export function openQuestions<A>(worker: Worker, fault: (reason: string) => Error): OpenQuestions<A> {
  const waiting = new Map<number, { resolve(answer: A): void; reject(error: unknown): void }>();
  let nextId = 0;

  function send(message: object): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(message);
  }

  function closed(id: number): boolean {
    const was = waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return was;
  }

  return {
    ask: (question, signal) =>
      new Promise<A>((resolve, reject) => {
        signal?.throwIfAborted();
        const id = nextId++;
        send({ id, ...question });
        worker.ref();
        const cancel = (): void => {
          if (!closed(id)) return;
          send({ cancel: id });
          reject(signal!.reason);
        };
        const settled = (): void => signal?.removeEventListener('abort', cancel);
        signal?.addEventListener('abort', cancel, { once: true });
        waiting.set(id, {
          resolve(answer) {
            settled();
            resolve(answer);
          },
          reject(error) {
            settled();
            reject(error);
          },
        });
      }),
    hear(answered) {
      const asked = waiting.get(answered.id);
      closed(answered.id);
      if ('answer' in answered) asked?.resolve(answered.answer);
      else asked?.reject(fault(answered.error));
    },
    end(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
    count: () => waiting.size,
  };
}
