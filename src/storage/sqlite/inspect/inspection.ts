import type { IndexTables, PageLedger, Rebuilt, RebuildIndex } from '../../../admin/ports.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import type { Progress } from '../../../kernel/op.ts';
import type { PageStore } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { DerivedStore } from '../index/open-derived.ts';
import type { GroupCommit } from '../state/group-commit.ts';
import { indexTables } from './index-tables.ts';
import { pageLedger } from './page-ledger.ts';
import { rebuildIndex } from './rebuild.ts';

export interface Inspection {
  readonly ledger: PageLedger;
  readonly tables: IndexTables;
  readonly rebuild: RebuildIndex;
  /** Ends a rebuild at the next page. */
  stop(): Promise<void>;
}

export interface InspectionParts {
  readonly state: Db;
  readonly store: Pick<PageStore, 'head' | 'commit'>;
  readonly derived: Pick<DerivedStore, 'db' | 'writer' | 'versions'>;
  /** Resolves when the index has rows for all pages. */
  readonly ready: () => Promise<void>;
  readonly group: GroupCommit;
  readonly publishedSeq: () => number;
  /** Takes in what others did to files; with `acceptDeletions` also when very many are gone. */
  readonly reconcile: (acceptDeletions?: boolean) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What admins look at and mend: the two databases side by side, and the index made anew. */
export function inspection({
  state,
  store,
  derived,
  ready,
  group,
  publishedSeq,
  reconcile,
  clock,
  log,
}: InspectionParts): Inspection {
  const { db: index, writer, versions } = derived;
  const ledger = pageLedger({ state, index, group, publishedSeq, ready });
  let stopped = false;
  let running: Promise<Rebuilt> | undefined;
  /** Whoever waits for the one run that is on. */
  const listening = new Set<Progress>();
  const progress: Progress = (done, total) => listening.forEach(tell => tell(done, total));

  async function run(): Promise<Rebuilt> {
    await ready();
    await reconcile();
    return rebuildIndex({ writer, versions, ledger, group, state, store, clock, log, progress }, () => stopped);
  }

  return {
    ledger,
    tables: indexTables(index, ready),
    async rebuild(told, acceptDeletions = false) {
      if (acceptDeletions) await reconcile(true);
      if (told) listening.add(told);
      running ??= run().finally(() => {
        running = undefined;
      });
      try {
        return await running;
      } finally {
        if (told) listening.delete(told);
      }
    },
    async stop() {
      stopped = true;
      await running?.catch(() => undefined);
    },
  };
}
