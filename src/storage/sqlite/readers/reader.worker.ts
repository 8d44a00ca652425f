import Database from 'better-sqlite3';
import { parentPort, workerData } from 'node:worker_threads';
import { addSqlFunctions } from '../index/sql-functions.ts';
import { lexicalReader } from '../lexical/lexical-reader.ts';
import type { LexicalAnswer } from '../../../search/ports.ts';
import type { Answered } from '../../threads/index.ts';
import type { Asked, ReaderData } from './messages.ts';

/** A thread that answers questions on a connection of its own, which can only read. */
const { path } = workerData as ReaderData;
const db = new Database(path, { readonly: true, fileMustExist: true });
db.pragma('cache_size = -32768');
addSqlFunctions(db);
const reader = lexicalReader(db);

parentPort?.on('message', ({ id, question, filter, limit }: Asked) => {
  let answered: Answered<LexicalAnswer>;
  try {
    answered = { id, answer: reader.ask(question, filter, limit) };
  } catch (error) {
    answered = { id, error: String(error) };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage(answered);
});
