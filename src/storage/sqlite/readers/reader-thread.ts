import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LexicalAnswer } from '../../../search/ports.ts';
import { askingThread, type AskingThread } from '../../threads/index.ts';
import type { Question, ReaderData } from './messages.ts';

/** One question at a time. Rejects when the thread ends or the index cannot be read. */
export type ReaderThread = AskingThread<Question, LexicalAnswer>;

/** A thread with a reading connection. */
export function readerThread(data: ReaderData): ReaderThread {
  return askingThread(
    () => {
      const kind = extname(import.meta.url);
      const entry = new URL(`./reader.worker${kind}`, import.meta.url);
      const built = { workerData: data, execArgv: [] };
      return kind === '.ts' ? new Worker(loaded(entry), { ...built, eval: true }) : new Worker(entry, built);
    },
    { name: 'reading' },
  );
}

/** Sources that are not built need a loader, which a thread does not take over from its process. */
const loaded = (entry: URL): string =>
  `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => (register(), import(${JSON.stringify(entry)})))`;
