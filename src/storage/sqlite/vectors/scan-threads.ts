import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { Failure } from '../../../kernel/failure.ts';
import type { Log } from '../../../kernel/log.ts';
import { askingThread } from '../../threads/index.ts';
import { readerPool } from '../readers/reader-pool.ts';
import { startWorker } from '../readers/start-worker.ts';
import { fixedVector } from '../../../search/vectors/index.ts';
import type { Candidates, CandidatesAsked } from './candidates.ts';
import { matrix, type SharedRows } from './matrix.ts';
import { MOST_SCANS } from './scan-kernel.ts';
import type { ScanData, ScanQuestion } from './scan-question.ts';

/** Threads that look at vectors, as many as cores less one, so that the event loop need not. */
export interface ScanThreads {
  /** Starts them when they are not there yet: false until they are, and when they failed again and again. */
  ready(): boolean;
  /**
   * Rejects with `overloaded` when too many wait, with the signal's reason when it fires, and when a thread fails; what is called off ends
   * before its next rows.
   */
  scan(rows: SharedRows, asked: CandidatesAsked, signal?: AbortSignal): Promise<readonly Candidates[]>;
  /** Resolves when none is being started. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface ScanThreadsParts {
  readonly log: Log;
  /** How many. */
  readonly size?: number;
  /** Rows that make a range of their own worth while where several threads are. */
  readonly rowsOfRange?: number;
}

const MOST_WAITING = 256;
const MOST_FAILURES = 3;
const ROWS_OF_RANGE = 50_000;

export function scanThreads({ log, size, rowsOfRange = ROWS_OF_RANGE }: ScanThreadsParts): ScanThreads {
  const count = Math.min(MOST_SCANS - 1, size ?? Math.max(1, availableParallelism() - 1));
  const threads = Array.from({ length: count }, (_, at) =>
    askingThread<ScanQuestion, Candidates>(
      () => startWorker(import.meta.url, './scan.worker', { at: at + 1 } satisfies ScanData),
      { name: 'scanning' },
    ),
  );
  const pool = readerPool({ threads, mostWaiting: MOST_WAITING });
  let state: 'cold' | 'starting' | 'ready' | 'given up' = 'cold';
  let failures = 0;
  let stopped = false;
  let starting: Promise<void> = Promise.resolve();

  function failed(error: unknown): void {
    // All who wait for a thread that ends are told.
    if (stopped || state === 'cold' || state === 'given up') return;
    state = ++failures < MOST_FAILURES ? 'cold' : 'given up';
    log.error({ err: error }, 'a scanning thread failed, vectors are looked at without it');
  }

  /** The first thing that each is asked; who has answered it is awake. */
  async function start(): Promise<void> {
    state = 'starting';
    const query = new Float32Array(16).fill(0.25);
    const one = matrix(query.length);
    one.add(1, 0, fixedVector(query));
    const first = { query, pages: new Uint8Array([0, 1]), limit: 1 };
    await Promise.all(
      threads.map(thread =>
        one.nearestElsewhere(
          first,
          async (rows, asked) => [await thread.ask({ rows, asked, calledOff: flag() })],
          () => undefined,
        ),
      ),
    );
    state = 'ready';
  }

  return {
    ready() {
      if (state === 'cold' && !stopped) starting = start().catch(failed);
      return state === 'ready' && !stopped;
    },
    async scan(rows, asked, signal) {
      signal?.throwIfAborted();
      const calledOff = flag();
      const callOff = (): void => void Atomics.store(calledOff, 0, 1);
      if (signal) setMaxListeners(0, signal);
      signal?.addEventListener('abort', callOff);
      try {
        const found = await Promise.all(
          ranges(asked).map(range => pool.ask({ rows, asked: { ...asked, ...range }, calledOff }, signal)),
        );
        failures = 0;
        return found;
      } catch (error) {
        callOff();
        if (!signal?.aborted && !(error instanceof Failure)) failed(error);
        throw error;
      } finally {
        signal?.removeEventListener('abort', callOff);
      }
    },
    settled: () => starting,
    async stop() {
      stopped = true;
      await pool.stop();
      await starting;
    },
  };

  function ranges({ from, to }: CandidatesAsked): { from: number; to: number }[] {
    const parts = Math.min(count, Math.max(1, Math.floor((to - from) / rowsOfRange)));
    const length = Math.ceil((to - from) / parts);
    return Array.from({ length: parts }, (_, at) => ({
      from: from + at * length,
      to: Math.min(to, from + (at + 1) * length),
    }));
  }
}

const flag = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
