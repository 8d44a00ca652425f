import type { IndexTables, PageLedger, RebuildIndex } from '../../admin/ports.ts';
import type { GroupMembers, TenantStore } from '../../auth/ports.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Lanes, OpenLanes } from '../../pages/lanes/ports.ts';
import type { Origin, PageIndex, PageStore, Project } from '../../pages/ports.ts';
import type { LexicalLane } from '../../search/ports.ts';
import type { Reconciled } from './publish/reconcile.ts';
import type { StepHook } from './steps.ts';
import type { VectorOptions } from './vectors/open-vectors.ts';
import type { Vectors } from './vectors/vectors.ts';

export interface OpenStorageOptions {
  readonly dataDir: string;
  readonly project: Project;
  readonly lanes: OpenLanes;
  readonly clock: Clock;
  readonly log: Log;
  /** How text becomes vectors; without it there are none. */
  readonly vectors?: VectorOptions;
  /** Drop versions that were superseded longer ago; without it all are kept. */
  readonly keepHistoryDays?: number;
  /** Hear of outside edits while they are made; without it they are found at start and by `reconcile`. */
  readonly watch?: boolean;
  /** Blocks from which on threads answer searches, for tests and benches; left out: as measured. */
  readonly threadsFrom?: number | undefined;
  /** Called at the named steps of a page write, for crash tests. */
  readonly step?: StepHook;
}

/** A version that its writer was told of. */
export interface Committed {
  readonly pageId: string;
  readonly version: number;
  readonly origin: Origin;
  /** How many blocks its text has; an archived page has none for anybody. */
  readonly blocks: number;
}

export interface Storage {
  readonly pages: PageStore;
  readonly index: PageIndex;
  readonly lexical: LexicalLane;
  /** Nothing is embedded before `configure` or `resume`. */
  readonly vectors: Omit<Vectors, 'changed' | 'stop'>;
  readonly groups: GroupMembers;
  readonly tenants: TenantStore;
  /**
   * Files of pages and blobs; `up` is false while publishing fails, `missing` how many pages are kept although their files
   * are not there.
   */
  readonly lanes: Lanes & { up(): boolean; missing(): number };
  /** False while the index has pages to bring in, and after a sync failed. */
  up(): boolean;
  /** `callback` hears of every version right before its writer does. */
  onCommitted(callback: (committed: Committed) => void): void;
  /**
   * Resolves when the first look at outside edits is over and every committed page has its file; rejects while files
   * cannot be written for their folder is missing.
   */
  whenDrained(): Promise<void>;
  /** Looks at all files again and takes in what others did. `acceptDeletions`: however many files are missing. */
  reconcile(acceptDeletions?: boolean): Promise<Reconciled>;
  readonly ledger: PageLedger;
  readonly tables: IndexTables;
  /** Calls at the same time share one run. */
  readonly rebuild: RebuildIndex;
  /** Finishes commits, publishes what is due, gives the folder back. */
  close(): Promise<void>;
}
