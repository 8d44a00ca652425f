import { parentPort, workerData } from 'node:worker_threads';
import { createAnalysis } from '../../../../rules/search/lexical/index.ts';
import { answerQuestions } from '../../../threads/index.ts';
import type { ScopeAnswer, ScopeQuestion, ScopeReaderData } from './messages.ts';
import { openScopeReader, type ScopeReader } from './scope-reader.ts';

/** A thread that answers questions about scopes on connections of its own, which can only read. */
const { folder, settings } = workerData as ScopeReaderData;
const analysis = createAnalysis(settings);
const readers = new Map<string, ScopeReader>();

answerQuestions<ScopeQuestion, ScopeAnswer>(parentPort, question => {
  const reader = readers.get(question.scope) ?? openScopeReader(folder, question.scope, analysis);
  readers.set(question.scope, reader);
  return reader.answer(question);
});
