import type { Log } from '../../../kernel/log.ts';
import type { Db } from '../database.ts';
import { checkpointThread } from './checkpoint-thread.ts';

/** 16 MiB of WAL: read in again within a few hundredths of a second after a crash. */
const FRAMES = 4096;

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
 * between two batches, for only a WAL that is copied whole is begun again from its start.
 */
export function checkpointer({ databases, quiet, log }: CheckpointerParts): Checkpointer {
  const thread = checkpointThread();
  const counters = databases.map(db => ({
    db,
    frames: db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)'),
  }));
  let running: Promise<void> | undefined;

  async function shorten(db: Db): Promise<void> {
    try {
      const left = await thread.checkpoint(db.name);
      if (left > 0) await quiet(async () => void (await thread.checkpoint(db.name)));
    } catch (error) {
      log.error({ err: error, file: db.name }, 'checkpoint thread failed, checkpointing in place');
      await quiet(async () => void db.pragma('wal_checkpoint(PASSIVE)'));
    }
  }

  return {
    check() {
      if (running) return;
      const long = counters.find(({ db, frames }) => {
        // Inside a transaction SQLite does not tell.
        if (db.inTransaction) return false;
        const { log: written, checkpointed } = frames.get()!;
        return written > FRAMES && checkpointed < written;
      });
      if (!long) return;
      running = shorten(long.db)
        .catch(error => log.error({ err: error, file: long.db.name }, 'checkpoint failed'))
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
