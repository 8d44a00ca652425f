import { availableParallelism } from 'node:os';
import { Failure } from '../../../../kernel/failure.ts';
import { askingThread } from '../../../threads/index.ts';
import { readerPool } from '../../readers/reader-pool.ts';
import { startWorker } from '../../readers/start-worker.ts';
import type { ScopeFiles } from '../files.ts';
import type { ScopeAnswer, ScopeAsks, ScopeQuestion, ScopeReaderData } from './messages.ts';

/** Smaller scopes answer in less time than they would hold anybody up (docs/decisions/2026-11-30-reading-threads.md). */
const RULES_FOR_THREADS = 2000;
const MOST_WAITING = 256;
/** A thread that nobody asked for so long gives its memory back. */
const IDLE_MS = 300_000;

export interface ScopeReaders {
  /** What a thread answers, or, where the scope is small or no thread can, `here`. */
  ask<K extends keyof ScopeAsks>(
    kind: K,
    scope: string,
    asked: ScopeAsks[K]['asked'],
    here: () => Promise<ScopeAsks[K]['answer']>,
    signal?: AbortSignal,
  ): Promise<ScopeAsks[K]['answer']>;
  stop(): Promise<void>;
}

export interface ScopeReadersParts {
  readonly files: ScopeFiles;
  /** Hears of threads that failed. */
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
  /** Rules from which on threads answer. */
  readonly from?: number | undefined;
}

/**
 * Reading that leaves the event loop alone, as for pages: threads with connections that can only read, one core being left to this
 * one. A write is committed before it is acknowledged, so they see it.
 */
export function scopeReaders({ files, report, from = RULES_FOR_THREADS }: ScopeReadersParts): ScopeReaders {
  const data: ScopeReaderData = { folder: files.folder, settings: files.analysis.settings };
  const threads = Array.from({ length: Math.max(1, availableParallelism() - 1) }, () =>
    askingThread<ScopeQuestion, ScopeAnswer>(() => startWorker(import.meta.url, './scope.worker', data), {
      name: 'reading',
      idleMs: IDLE_MS,
    }),
  );
  const pool = readerPool({ threads, mostWaiting: MOST_WAITING });
  const last = files.prepared(db => db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM rule').pluck());
  let stopped = false;

  return {
    async ask(kind, scope, asked, here, signal) {
      signal?.throwIfAborted();
      // Tables of another build begin to be filled anew here: a thread cannot write.
      files.lexical(scope);
      if (stopped || last(scope).get()! < from) return here();
      try {
        // Each kind of question has its kind of answer.
        return (await pool.ask({ kind, scope, asked } as ScopeQuestion, signal)) as ScopeAsks[typeof kind]['answer'];
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof Failure) throw error;
        if (!stopped) report('scope.reading-failed', { scope, reason: String(error) });
        return here();
      }
    },
    async stop() {
      stopped = true;
      await pool.stop();
    },
  };
}
