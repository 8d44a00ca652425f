import type { Worker } from 'node:worker_threads';
import { openQuestions, type Answered, type OpenQuestions } from './open-questions.ts';

export interface AskingThread<Q extends object, A> {
  /** Rejects as the thread does, and when it ends. */
  ask(question: Q): Promise<A>;
  stop(): Promise<void>;
}

export interface AskingThreadOptions {
  /** Stands in the error of those who waited when the thread ended. */
  readonly name: string;
  /** A thread that was not asked for so long is ended; left out: it stays. */
  readonly idleMs?: number;
}

/**
 * A thread that is asked by messages `{id, …question}` and answers with `Answered`. It is started with the first question, and
 * anew after it ended.
 */
export function askingThread<Q extends object, A>(
  start: () => Worker,
  { name, idleMs }: AskingThreadOptions,
): AskingThread<Q, A> {
  let running: { readonly worker: Worker; readonly questions: OpenQuestions<A> } | undefined;
  let idle: NodeJS.Timeout | undefined;

  function started(): NonNullable<typeof running> {
    const worker = start();
    const questions = openQuestions<A>(worker, reason => new Error(reason));
    const end = (error: Error): void => {
      if (running?.worker === worker) running = undefined;
      questions.end(error);
    };
    worker.on('message', (answered: Answered<A>) => questions.hear(answered));
    worker.on('error', end);
    worker.on('exit', () => end(new Error(`the ${name} thread ended`)));
    return { worker, questions };
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    await running?.worker.terminate();
  }

  function rest(): void {
    if (running?.questions.count() !== 0) return;
    void running.worker.terminate();
    running = undefined;
  }

  return {
    ask(question) {
      running ??= started();
      if (idleMs !== undefined) {
        clearTimeout(idle);
        idle = setTimeout(rest, idleMs).unref();
      }
      return running.questions.ask(question);
    },
    stop,
  };
}
