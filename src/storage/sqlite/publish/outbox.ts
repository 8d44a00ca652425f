import type { Log } from '../../../kernel/log.ts';
import { FoldersMissing, type PageFolders } from './page-folders.ts';
import type { PagePublisher } from './publish-pages.ts';
import type { PublishRecords } from './records.ts';

/**
 * A pause in which versions gather, so that they share folder syncs and records, and a page written twice is published once. A write
 * after a rest need not wait for others.
 */
const GATHER_MS = 200;
const CLOSED = 'the store was closed';
const RETRY_MS = [1000, 2000, 5000, 15_000, 30_000];

export interface Outbox {
  /** Versions were committed. */
  wake(): void;
  /** Runs `task` while no file is being published. */
  exclusive<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Resolves when every durable version is published; waits through retries. Rejects when the store closes first, and with
   * FoldersMissing, for that does not pass by itself.
   */
  whenDrained(): Promise<void>;
  /** Tries at once what is waiting to be tried again. */
  retry(): void;
  /** False while publishing fails. */
  up(): boolean;
  /** Publishes what is due, once, and stops. */
  close(): Promise<void>;
}

export interface OutboxParts {
  readonly publisher: PagePublisher;
  readonly records: PublishRecords;
  readonly folders: PageFolders;
  readonly durableSeq: () => number;
  readonly log: Log;
}

/** Works off the outbox in the background, in order, one batch at a time. */
export function outbox({ publisher, records, folders, durableSeq, log }: OutboxParts): Outbox {
  let turn: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let failures = 0;
  let closed = false;
  let restedSince = 0;
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];

  function exclusive<T>(task: () => Promise<T>): Promise<T> {
    const mine = turn.then(task);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function publishNext(): Promise<'none' | 'some' | 'full'> {
    const due = records.due(durableSeq());
    if (!due) return 'none';
    await folders.check();
    await publisher.publish(due.pageIds);
    await folders.learn();
    await records.advance(due.upTo);
    return due.more ? 'full' : 'some';
  }

  async function drain(): Promise<void> {
    try {
      for (let batch = await exclusive(publishNext); batch !== 'none'; batch = await exclusive(publishNext)) {
        failures = 0;
        if (batch === 'some' && waiting.length === 0 && !closed) return schedule(GATHER_MS);
      }
      for (const { resolve } of waiting.splice(0)) resolve();
      restedSince = performance.now();
    } catch (error) {
      const pause = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]!;
      failures += 1;
      log.error({ err: error, retry_ms: pause }, 'publishing failed');
      if (error instanceof FoldersMissing) for (const { reject } of waiting.splice(0)) reject(error);
      if (!closed) schedule(pause);
    }
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    running ??= drain().finally(() => {
      running = undefined;
      if (waiting.length > 0 && timer === undefined && !closed) start();
    });
  }

  function schedule(ms: number): void {
    timer ??= setTimeout(start, ms);
  }

  return {
    wake() {
      const rested = running === undefined && performance.now() - restedSince >= GATHER_MS;
      if (!closed) schedule(rested ? 0 : GATHER_MS);
    },
    exclusive,
    whenDrained() {
      if (closed) return Promise.reject(new Error(CLOSED));
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (failures === 0) start();
      });
    },
    retry() {
      if (failures > 0 && !closed) start();
    },
    up: () => failures === 0,
    async close() {
      closed = true;
      await running;
      start();
      await running;
      clearTimeout(timer);
      for (const { reject } of waiting.splice(0)) reject(new Error(CLOSED));
    },
  };
}
