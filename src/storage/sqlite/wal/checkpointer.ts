import type { Log } from '../../../kernel/log.ts';
import type { Db } from '../database.ts';
import { checkpointThread } from './checkpoint-thread.ts';

/** 16 MiB of WAL: read in again within a few hundredths of a second after a crash. */
const LONG = 4096;
/** Writers that fill a WAL faster than it is copied have to wait from here on. */
const TOO_LONG = 2 * LONG;

export interface Checkpointer {
  /** Starts a checkpoint where a WAL has grown long enough. Cheap: to be called after every batch. */
  check(): void;
  stop(): Promise<void>;
}

export interface CheckpointerParts {
  readonly databases: readonly Db[];
  /** Runs a task while nobody writes, everything written being committed. */
  readonly quiet: (task: () => Promise<void>) => Promise<void>;
  readonly log: Log;
}

/**
 * Keeps the WALs short. The bulk is copied beside running writers; what they added meanwhile is copied in a short pause
 * between two batches, for only a WAL that is whole in the database when a transaction begins starts over.
 */
export function checkpointer({ databases, quiet, log }: CheckpointerParts): Checkpointer {
  const thread = checkpointThread();
  const counters = databases.map(db => ({
    db,
    frames: db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)'),
  }));
  let running: Promise<void> | undefined;
  let bulk: Promise<unknown> = Promise.resolve();
  let holding = false;

  function longerThan(length: number): Db | undefined {
    return counters.find(({ db, frames }) => {
      // Inside a transaction SQLite does not tell.
      if (db.inTransaction) return false;
      const { log: written, checkpointed } = frames.get()!;
      return written > length && checkpointed < written;
    })?.db;
  }

  async function shorten(db: Db): Promise<void> {
    try {
      const copied = thread.checkpoint(db.name);
      bulk = copied.catch(() => undefined);
      await copied;
      await quiet(() => thread.checkpoint(db.name));
    } catch (error) {
      log.error({ err: error, file: db.name }, 'checkpoint thread failed, checkpointing in place');
      await quiet(async () => void db.pragma('wal_checkpoint(PASSIVE)'));
    }
  }

  async function hold(): Promise<void> {
    holding = true;
    await quiet(async () => void (await bulk));
    holding = false;
  }

  return {
    check() {
      if (running) {
        if (!holding && longerThan(TOO_LONG)) void hold();
        return;
      }
      const long = longerThan(LONG);
      if (!long) return;
      running = shorten(long)
        .catch(error => log.error({ err: error, file: long.name }, 'checkpoint failed'))
        .finally(() => {
          running = undefined;
        });
    },
    async stop() {
      await running;
      await thread.stop();
    },
  };
}
