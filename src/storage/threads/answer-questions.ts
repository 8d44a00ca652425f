import type { MessagePort } from 'node:worker_threads';
import type { Answered } from './open-questions.ts';

/** What a thread of `askingThread` runs: each question `{id, …}` is answered, or refused with what `answer` throws, as text. */
export function answerQuestions<Q extends object, A>(
  port: MessagePort | null,
  answer: (question: Q) => A | Promise<A>,
): void {
  port?.on('message', async (question: Q & { readonly id: number }) => {
    const { id } = question;
    let answered: Answered<A>;
    try {
      answered = { id, answer: await answer(question) };
    } catch (error) {
      answered = { id, error: String(error) };
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    port.postMessage(answered);
  });
}
