import type { Db } from '../database.ts';
import type { StepHook } from '../steps.ts';

/** Bounds of one batch, so that the event loop answers others in between. */
const MAX_JOBS = 64;
const MAX_WEIGHT = 4 * 1024 * 1024;

export interface GroupCommit {
  /**
   * Runs `work` in a transaction that it may share with others and resolves to its value when the transaction is durable.
   * When `work` throws, its changes are undone and only it rejects. `weight`: about how many bytes it writes.
   */
  run<T>(work: () => T, weight?: number): Promise<T>;
  /** Runs `task` between two batches: no transaction of a batch is open and none begins before it ends. */
  between<T>(task: () => T | Promise<T>): Promise<T>;
  /** True once a sync failed: nothing can be committed any more. */
  broken(): boolean;
  /** Finishes what is queued and refuses later jobs; tasks may still run between. */
  close(): Promise<void>;
}

interface Job {
  readonly weight: number;
  /** Runs the work and remembers how it ended; `undo` takes back what a work did that failed. */
  run(undo: () => void): void;
  settle(fault: Error | null): void;
}

export interface GroupCommitOptions {
  readonly db: Db;
  readonly sync: () => Promise<void>;
  readonly step: StepHook;
  /** Called before a commit that is not durable at once. */
  readonly onCommitting: () => void;
  /** Called when a batch was undone before it was durable. */
  readonly onUndone: () => void;
  /** Called after the sync and before the promises resolve; a throw rejects the whole batch. */
  readonly onDurable: () => void;
}

/**
 * One transaction after the other; each takes all jobs that gathered while the one before was synced. A failed sync is final:
 * what is on the disk is not known any more, so nothing is accepted until the store is opened again.
 */
export function groupCommit({ db, sync, step, onCommitting, onUndone, onDurable }: GroupCommitOptions): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT job');
  const release = db.prepare('RELEASE job');
  const rollbackJob = db.prepare('ROLLBACK TO job');
  const queue: Job[] = [];
  const tasks: (() => Promise<void>)[] = [];
  /** Why nothing new is taken. */
  let closed: Error | null = null;
  /** Why nothing at all can be written any more. */
  let broken: Error | null = null;
  let running: Promise<void> | null = null;

  function wake(): void {
    running ??= loop().finally(() => {
      running = null;
      if (queue.length > 0 || tasks.length > 0) wake();
    });
  }

  async function loop(): Promise<void> {
    // One turn of the event loop, so that everything that arrived with the first job goes with it.
    for (await turn(); queue.length > 0 || tasks.length > 0; await turn()) {
      for (const task of tasks.splice(0)) await task();
      if (queue.length > 0) await commitBatch(nextBatch());
    }
  }

  function nextBatch(): Job[] {
    let weight = 0;
    let jobs = 0;
    while (jobs < queue.length && jobs < MAX_JOBS && (jobs === 0 || weight + queue[jobs]!.weight <= MAX_WEIGHT)) {
      weight += queue[jobs++]!.weight;
    }
    return queue.splice(0, jobs);
  }

  async function commitBatch(batch: readonly Job[]): Promise<void> {
    const fault = transact(batch) ?? (await makeDurable()) ?? attempt(onDurable);
    if (!fault) step('acknowledge');
    for (const job of batch) job.settle(fault);
  }

  function transact(batch: readonly Job[]): Error | null {
    if (broken) return broken;
    return attempt(() => {
      try {
        begin.run();
        step('state.begin');
        if (batch.length === 1) batch[0]!.run(startOver);
        else for (const job of batch) runApart(job);
        onCommitting();
        commit.run();
      } catch (error) {
        if (db.inTransaction) rollback.run();
        onUndone();
        throw error;
      }
      step('state.commit');
    });
  }

  function runApart(job: Job): void {
    savepoint.run();
    job.run(undoJob);
    release.run();
  }

  const undoJob = (): void => void rollbackJob.run();

  /** A job that is alone in its transaction needs no savepoint. */
  function startOver(): void {
    rollback.run();
    begin.run();
  }

  async function makeDurable(): Promise<Error | null> {
    try {
      await sync();
      step('state.fsync');
      return null;
    } catch (error) {
      broken = new Error('the page store stopped: its last writes may not be durable', { cause: error });
      closed = broken;
      return broken;
    }
  }

  return {
    run<T>(work: () => T, weight = 0) {
      if (closed) return Promise.reject(closed);
      return new Promise<T>((resolve, reject) => {
        let end: { value: T } | { error: unknown };
        queue.push({
          weight,
          run(undo) {
            try {
              end = { value: work() };
            } catch (error) {
              end = { error };
              // Errors that ended the whole transaction are the batch's.
              if (!db.inTransaction) throw error;
              undo();
            }
          },
          settle(fault) {
            if (fault) reject(fault);
            else if ('error' in end) reject(end.error);
            else resolve(end.value);
          },
        });
        wake();
      });
    },
    between: task =>
      new Promise((resolve, reject) => {
        tasks.push(async () => {
          try {
            resolve(await task());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
        wake();
      }),
    broken: () => broken !== null,
    async close() {
      closed ??= new Error('the page store is closed');
      await running;
    },
  };
}

/** Costs less than the promise of node:timers, and one is made for each batch. */
const turn = (): Promise<void> => new Promise(resolve => void setImmediate(resolve));

function attempt(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
