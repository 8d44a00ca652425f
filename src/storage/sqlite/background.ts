import { setImmediate as turn } from 'node:timers/promises';
import { reconcile, type Reconciled, type ReconcileParts } from './publish/reconcile.ts';

export interface Background {
  /** Resolves when the first look at all files is over and the outbox is empty. */
  whenSettled(): Promise<void>;
  /** One more look, after those that are under way. */
  reconcile(acceptDeletions?: boolean): Promise<Reconciled>;
  /** Ends a look early. */
  stop(): Promise<void>;
}

export interface BackgroundParts extends ReconcileParts {
  /** Removes temporary files that a killed process left over. */
  sweep(): Promise<void>;
  /** Hears how long each look at all files took. */
  readonly onLooked: (ms: number) => void;
}

/** What a start leaves for later: first the files that a crash kept from being published, then edits from outside. */
export function background(parts: BackgroundParts): Background {
  const { outbox, log } = parts;
  let stopped = false;
  let last: Promise<unknown> = atStart();

  async function look(acceptDeletions = false, first = false): Promise<Reconciled> {
    const began = performance.now();
    try {
      const found = await reconcile(parts, () => stopped, acceptDeletions);
      const { files: _, ...changes } = found;
      // Looks that find nothing are many.
      log[first || Object.values(changes).some(count => count > 0) ? 'info' : 'debug'](found, 'files reconciled');
      // The look may have found what publishing waits for.
      outbox.retry();
      return found;
    } finally {
      parts.onLooked(performance.now() - began);
    }
  }

  async function atStart(): Promise<void> {
    try {
      await turn();
      await parts.sweep();
      // Where nothing can be published because the files are gone, looking for them is what helps.
      await outbox.whenDrained().catch(() => undefined);
      await look(false, true);
    } catch (error) {
      if (!stopped) log.error({ err: error }, 'looking for edits from outside failed');
    }
  }

  return {
    async whenSettled() {
      await last;
      await outbox.whenDrained();
    },
    reconcile(acceptDeletions) {
      const mine = last.then(() => look(acceptDeletions));
      last = mine.catch(() => undefined);
      return mine;
    },
    async stop() {
      stopped = true;
      await last;
    },
  };
}
