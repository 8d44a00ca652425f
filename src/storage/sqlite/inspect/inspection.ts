import type { IndexTables, PageLedger, Rebuilt, RebuildIndex } from '../../../admin/ports.ts';
import type { Log } from '../../../kernel/log.ts';
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
  readonly derived: Pick<DerivedStore, 'db' | 'writer' | 'versions'>;
  /** Resolves when the index has rows for all pages. */
  readonly ready: () => Promise<void>;
  readonly group: GroupCommit;
  readonly publishedSeq: () => number;
  /** Takes in what others changed in files. */
  readonly reconcile: () => Promise<unknown>;
  readonly log: Log;
}

/** What admins look at and mend: the two databases side by side, and the index made anew. */
export function inspection({
  state,
  derived,
  ready,
  group,
  publishedSeq,
  reconcile,
  log,
}: InspectionParts): Inspection {
  const { db: index, writer, versions } = derived;
  const ledger = pageLedger({ state, index, group, publishedSeq, ready });
  let stopped = false;
  let running: Promise<Rebuilt> | undefined;

  async function run(): Promise<Rebuilt> {
    await ready();
    await reconcile();
    return rebuildIndex({ writer, versions, ledger, group, state, log }, () => stopped);
  }

  return {
    ledger,
    tables: indexTables(index, ready),
    rebuild() {
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    async stop() {
      stopped = true;
      await running?.catch(() => undefined);
    },
  };
}
