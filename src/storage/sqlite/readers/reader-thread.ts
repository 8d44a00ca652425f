import type { LexicalAnswer } from '../../../search/ports.ts';
import { askingThread, type AskingThread } from '../../threads/index.ts';
import type { Question, ReaderData } from './messages.ts';
import { startWorker } from './start-worker.ts';

/** One question at a time. Rejects when the thread ends or the index cannot be read. */
export type ReaderThread = AskingThread<Question, LexicalAnswer>;

/** A thread with a reading connection. */
export const readerThread = (data: ReaderData): ReaderThread =>
  askingThread(() => startWorker(import.meta.url, './reader.worker', data), { name: 'reading' });
