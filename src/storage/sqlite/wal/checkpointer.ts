import type { Statement } from 'better-sqlite3';
import type { Log } from '../../../kernel/log.ts';
import type { Db } from '../database.ts';
import { checkpointThread } from './checkpoint-thread.ts';

/** 16 MiB of WAL: read in again within a few hundredths of a second after a crash. */
const LONG = 4096;
/** Writers that fill a WAL faster than it is copied have to wait from here on. */
const TOO_LONG = 2 * LONG;
/** Asking how long a WAL is costs as much as a small write; it does not grow by more than a few MiB in this time. */
const ASK_EVERY_MS = 20;

export interface Checkpointer {
  /** Starts a checkpoint when the WAL of this database has grown long enough. To be called outside transactions, after commits. */
  check(db: Db): void;
  stop(): Promise<void>;
}

export interface CheckpointerParts {
  /** Runs a task while nobody writes, everything written being committed. */
  readonly quiet: (task: () => Promise<void>) => Promise<void>;
  readonly log: Log;
}

/**
 * Keeps the WALs short. The bulk is copied beside running writers; what they added meanwhile is copied in a short pause
 * between two batches, for only a WAL that is whole in the database when a transaction begins starts over. One that grows
 * too long all the same, be it while another is copied, is copied whole while its writers wait.
 */
export function checkpointer({ quiet, log }: CheckpointerParts): Checkpointer {
  const thread = checkpointThread();
  const frames = new Map<Db, Statement<[], { log: number; checkpointed: number }>>();
  const asked = new Map<Db, number>();
  let beside: Promise<void> | undefined;
  let pause: Promise<void> | undefined;

  function isLongerThan(length: number, db: Db): boolean {
    const counter = frames.get(db) ?? db.prepare('PRAGMA wal_checkpoint(NOOP)');
    frames.set(db, counter);
    const { log: written, checkpointed } = counter.get()!;
    return written > length && checkpointed < written;
  }

  async function copy(db: Db, way: (db: Db) => Promise<void>): Promise<void> {
    try {
      await way(db);
    } catch (error) {
      log.error({ err: error, file: db.name }, 'checkpoint thread failed, checkpointing in place');
      await quiet(async () => void db.pragma('wal_checkpoint(PASSIVE)')).catch(failure =>
        log.error({ err: failure, file: db.name }, 'checkpoint failed'),
      );
    }
  }

  const inPause = (db: Db): Promise<void> => quiet(() => thread.checkpoint(db.name));

  async function shorten(db: Db): Promise<void> {
    await thread.checkpoint(db.name);
    await inPause(db);
  }

  return {
    check(db) {
      const now = performance.now();
      if (pause || now - (asked.get(db) ?? -ASK_EVERY_MS) < ASK_EVERY_MS) return;
      asked.set(db, now);
      if (beside === undefined && isLongerThan(LONG, db))
        beside = copy(db, shorten).finally(() => {
          beside = undefined;
        });
      else if (beside !== undefined && isLongerThan(TOO_LONG, db))
        pause = copy(db, inPause).finally(() => {
          pause = undefined;
        });
    },
    async stop() {
      await beside;
      await pause;
      await thread.stop();
    },
  };
}
