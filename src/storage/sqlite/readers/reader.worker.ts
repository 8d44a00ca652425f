import Database from 'better-sqlite3';
import { parentPort, workerData } from 'node:worker_threads';
import { answerQuestions } from '../../threads/index.ts';
import { addSqlFunctions } from '../index/sql-functions.ts';
import { lexicalReader } from '../lexical/lexical-reader.ts';
import type { LexicalAnswer } from '../../../search/ports.ts';
import type { Question, ReaderData } from './messages.ts';

/** A thread that answers questions on a connection of its own, which can only read. */
const { path } = workerData as ReaderData;
const db = new Database(path, { readonly: true, fileMustExist: true });
db.pragma('cache_size = -32768');
addSqlFunctions(db);
const reader = lexicalReader(db);

answerQuestions<Question, LexicalAnswer>(parentPort, ({ question, filter, limit }) =>
  reader.ask(question, filter, limit),
);
