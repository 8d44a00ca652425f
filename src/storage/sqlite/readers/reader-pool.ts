import { Failure } from '../../../kernel/failure.ts';
import type { LexicalAnswer } from '../../../search/ports.ts';
import type { Question } from './messages.ts';
import type { ReaderThread } from './reader-thread.ts';

export interface ReaderPool {
  /**
   * Rejects with `overloaded` when too many wait, with the signal's reason when it fires, and as the thread does. A question that
   * is called off while it waits is never asked.
   */
  ask(question: Question, signal?: AbortSignal): Promise<LexicalAnswer>;
  stop(): Promise<void>;
}

export interface ReaderPoolParts {
  readonly threads: readonly ReaderThread[];
  /** Questions that may wait for a thread. */
  readonly mostWaiting: number;
}

interface Waiting {
  readonly question: Question;
  readonly signal: AbortSignal | undefined;
  resolve(answer: LexicalAnswer): void;
  reject(error: unknown): void;
}

/** Hands each question to a thread that has none, first come, first served. */
export function readerPool({ threads, mostWaiting }: ReaderPoolParts): ReaderPool {
  const free = [...threads];
  const queue = new Set<Waiting>();

  async function run(thread: ReaderThread, { question, signal, resolve, reject }: Waiting): Promise<void> {
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
        signal?.addEventListener('abort', () => {
          if (queue.delete(waiting)) reject(signal.reason);
        });
      });
    },
    async stop() {
      await Promise.all(threads.map(thread => thread.stop()));
    },
  };
}
