import type { Worker } from 'node:worker_threads';
import { openQuestions, type Answered } from './open-questions.ts';

/** What such a thread says: first whether it can work, then answers. */
export type FromReadyThread<A> = { readonly ready: true } | { readonly failed: string } | Answered<A>;

/** What it is told: a question with its id, that nobody waits for one any more, that it is to end. */
export type ToReadyThread<Q extends object> = (Q & { readonly id: number }) | { readonly cancel: number } | 'close';

export interface ReadyThread<Q extends object, A> {
  /** Rejects with the fault of what the thread says or ends with, and with the reason of `signal`. */
  ask(question: Q, signal?: AbortSignal): Promise<A>;
  /** False once the thread has ended. */
  alive(): boolean;
  /** Lets it finish what it is at. */
  stop(): Promise<void>;
}

export interface ReadyThreadParts {
  /** Stands in errors. */
  readonly name: string;
  /** The error of a thread that cannot begin to work. */
  readonly refusal: (reason: string) => Error;
  /** The error of one that works and then cannot. */
  readonly fault: (reason: string) => Error;
}

/** A thread that has something to load before it can be asked. Rejects with the refusal when it cannot. */
export async function readyThread<Q extends object, A>(
  worker: Worker,
  { name, refusal, fault }: ReadyThreadParts,
): Promise<ReadyThread<Q, A>> {
  const questions = openQuestions<A>(worker, fault);
  let ended: Error | null = null;

  function end(error: Error): void {
    ended ??= error;
    questions.end(ended);
  }

  await new Promise<void>((resolve, reject) => {
    worker.once('message', (first: FromReadyThread<A>) => {
      if ('failed' in first) reject(refusal(`${name}: ${first.failed}`));
      else resolve();
    });
    worker.on('error', error => {
      reject(refusal(`${name}: ${error.message}`));
      end(fault(`the thread of ${name} failed: ${error.message}`));
    });
    worker.on('exit', () => {
      reject(refusal(`${name}: its thread ended`));
      end(fault(`the thread of ${name} ended`));
    });
  }).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  worker.on('message', (answered: Answered<A>) => questions.hear(answered));
  worker.unref();

  return {
    ask: (question, signal) => (ended ? Promise.reject(ended) : questions.ask(question, signal)),
    alive: () => ended === null,
    async stop() {
      if (ended) return;
      worker.ref();
      const gone = new Promise(resolve => void worker.once('exit', resolve));
      end(fault(`${name} was closed`));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage('close' satisfies ToReadyThread<Q>);
      await gone;
    },
  };
}
