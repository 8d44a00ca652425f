import { parentPort, workerData } from 'node:worker_threads';
import { createAnalysis } from '../../../../rules/search/lexical/index.ts';
import type { Answered } from '../../../threads/index.ts';
import type { ScopeAnswer, ScopeQuestion, ScopeReaderData } from './messages.ts';
import { openScopeReader, type ScopeReader } from './scope-reader.ts';

/** A thread that answers questions about scopes on connections of its own, which can only read. */
const { folder, settings } = workerData as ScopeReaderData;
const analysis = createAnalysis(settings);
const readers = new Map<string, ScopeReader>();

parentPort?.on('message', async ({ id, ...question }: ScopeQuestion & { readonly id: number }) => {
  let answered: Answered<ScopeAnswer>;
  try {
    const reader = readers.get(question.scope) ?? openScopeReader(folder, question.scope, analysis);
    readers.set(question.scope, reader);
    answered = { id, answer: await reader.answer(question) };
  } catch (error) {
    answered = { id, error: String(error) };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage(answered);
});
