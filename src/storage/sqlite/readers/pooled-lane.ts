import { availableParallelism } from 'node:os';
import { Failure } from '../../../kernel/failure.ts';
import type { Log } from '../../../kernel/log.ts';
import type { LexicalLane } from '../../../search/ports.ts';
import type { IndexFill } from '../index/fill.ts';
import type { IndexWriter } from '../index/index-writer.ts';
import type { Question } from './messages.ts';
import { readerPool } from './reader-pool.ts';
import { readerThread } from './reader-thread.ts';

/** Smaller indexes answer in less time than they would hold anybody up (docs/decisions/2026-11-30-reading-threads.md). */
const BLOCKS_FOR_THREADS = 10_000;
const MOST_WAITING = 256;
/** A word nobody has: a thread that was asked for it has read the vocabulary, so that the first caller need not wait for that. */
const FIRST: Question = {
  question: { text: 'qxzwvqxzwv' },
  filter: {
    scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
    pageType: null,
    skill: null,
    pageId: null,
    asOf: null,
    scenario: null,
    clauses: [],
  },
  limit: 1,
};

export interface PooledLaneParts {
  /** The lane on the writer's own connection. */
  readonly here: LexicalLane;
  readonly writer: Pick<IndexWriter, 'progress' | 'flush'>;
  readonly fill: Pick<IndexFill, 'complete' | 'whenComplete'>;
  readonly path: string;
  readonly log: Log;
  /** Blocks from which on threads answer. */
  readonly from?: number | undefined;
}

export interface PooledLane {
  readonly lane: LexicalLane;
  stop(): Promise<void>;
}

/**
 * A lexical lane that leaves the event loop alone: questions to a large index are answered by threads with reading connections,
 * one core being left to this one. What was acknowledged is committed before a question is handed over, so that they see it.
 * When a thread fails, the question is answered here.
 */
export function pooledLane({ here, writer, fill, path, log, from = BLOCKS_FOR_THREADS }: PooledLaneParts): PooledLane {
  const size = Math.max(1, availableParallelism() - 1);
  const threads = Array.from({ length: size }, () => readerThread({ path }));
  const pool = readerPool({ threads, mostWaiting: MOST_WAITING });
  let stopped = false;
  fill.whenComplete.then(prepare, () => undefined);

  function prepare(): void {
    if (stopped || writer.progress().blocks < from) return;
    // Whatever goes wrong here goes wrong again when somebody asks, and is told then.
    for (const _ of threads) pool.ask(FIRST).catch(() => undefined);
  }

  const ask: LexicalLane['ask'] = async (question, filter, limit, signal) => {
    if (!fill.complete()) await fill.whenComplete;
    signal?.throwIfAborted();
    if (stopped || writer.progress().blocks < from) return here.ask(question, filter, limit);
    try {
      writer.flush();
      return await pool.ask({ question, filter, limit }, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Failure) throw error;
      if (!stopped) log.error({ err: error }, 'a reading thread failed, searching without it');
      return here.ask(question, filter, limit);
    }
  };

  return {
    lane: { ...here, ask },
    async stop() {
      stopped = true;
      await pool.stop();
    },
  };
}
