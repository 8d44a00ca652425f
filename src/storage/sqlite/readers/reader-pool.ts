import { setMaxListeners } from 'node:events';
import { Failure } from '../../../kernel/failure.ts';
import type { AskingThread } from '../../threads/index.ts';

export interface ReaderPool<Q extends object, A> {
  /**
   * Rejects with `overloaded` when too many wait, with the signal's reason when it fires, and as the thread does. A question that
   * is called off while it waits is never asked.
   */
  ask(question: Q, signal?: AbortSignal): Promise<A>;
  stop(): Promise<void>;
}

export interface ReaderPoolParts<Q extends object, A> {
  readonly threads: readonly AskingThread<Q, A>[];
  /** Questions that may wait for a thread. */
  readonly mostWaiting: number;
}

interface Waiting<Q, A> {
  readonly question: Q;
  readonly signal: AbortSignal | undefined;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

/** Hands each question to a thread that has none, first come, first served. */
export function readerPool<Q extends object, A>({ threads, mostWaiting }: ReaderPoolParts<Q, A>): ReaderPool<Q, A> {
  const free = [...threads];
  const queue = new Set<Waiting<Q, A>>();

  async function run(thread: AskingThread<Q, A>, { question, signal, resolve, reject }: Waiting<Q, A>): Promise<void> {
    try {
      const answer = await thread.ask(question);
      if (signal?.aborted) reject(signal.reason);
      else resolve(answer);
    } catch (error) {
      reject(error);
    }
    const [next] = queue;
    if (next) {
      queue.delete(next);
      void run(thread, next);
    } else free.push(thread);
  }

  return {
    ask(question, signal) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const waiting = { question, signal, resolve, reject };
        const thread = free.pop();
        if (thread) {
          void run(thread, waiting);
          return;
        }
        if (queue.size >= mostWaiting) throw new Failure('overloaded', 'too many searches at once, try again shortly');
        queue.add(waiting);
        if (!signal) return;
        // One search asks several times: with other words, of other lanes.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', () => {
          if (queue.delete(waiting)) reject(signal.reason);
        });
      });
    },
    async stop() {
      await Promise.all(threads.map(thread => thread.stop()));
    },
  };
}
