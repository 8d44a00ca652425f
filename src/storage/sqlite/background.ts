import { setImmediate as turn } from 'node:timers/promises';
import { reconcile, type Reconciled, type ReconcileParts } from './publish/reconcile.ts';

export interface Background {
  /** Resolves when the first look at all files is over and the outbox is empty. */
  whenSettled(): Promise<void>;
  /** One more look, after those that are under way. */
  reconcile(): Promise<Reconciled>;
  /** Ends a look early. */
  stop(): Promise<void>;
}

export interface BackgroundParts extends ReconcileParts {
  /** Removes temporary files that a killed process left over. */
  sweep(): Promise<void>;
}

/** What a start leaves for later: first the files that a crash kept from being published, then edits from outside. */
export function background(parts: BackgroundParts): Background {
  const { outbox, log } = parts;
  let stopped = false;
  let last: Promise<unknown> = atStart();

  async function atStart(): Promise<void> {
    try {
      await turn();
      await parts.sweep();
      await outbox.whenDrained();
      await reconcile(parts, () => stopped);
    } catch (error) {
      if (!stopped) log.error({ err: error }, 'looking for edits from outside failed');
    }
  }

  return {
    async whenSettled() {
      await last;
      await outbox.whenDrained();
    },
    reconcile() {
      const mine = last.then(() => reconcile(parts, () => stopped));
      last = mine.catch(() => undefined);
      return mine;
    },
    async stop() {
      stopped = true;
      await last;
    },
  };
}
