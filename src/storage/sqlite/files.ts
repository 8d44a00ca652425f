import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Lanes } from '../../pages/lanes/ports.ts';
import type { PageStore } from '../../pages/ports.ts';
import { background } from './background.ts';
import type { Db } from './database.ts';
import { outbox } from './publish/outbox.ts';
import { outsideEdits } from './publish/outside.ts';
import { pageFolders } from './publish/page-folders.ts';
import { pagePublisher } from './publish/publish-pages.ts';
import type { Reconciled } from './publish/reconcile.ts';
import { publishRecords } from './publish/records.ts';
import { fileRemovals } from './removal/file-removals.ts';
import { removingFiles } from './removal/removing-files.ts';
import type { GroupCommit } from './state/group-commit.ts';
import type { StepHook } from './steps.ts';
import { intake } from './watch/intake.ts';
import { outsideLeaving } from './watch/leaving.ts';
import { missingFiles } from './watch/missing.ts';
import { fileWatcher, type FileWatcher } from './watch/watcher.ts';

export interface PageFiles {
  /** Versions were committed. */
  wake(): void;
  /** Everything up to here is published. */
  publishedSeq(): number;
  /** False while publishing fails. */
  up(): boolean;
  /** Pages that are not archived although their files are missing, for too many are. */
  missing(): number;
  whenSettled(): Promise<void>;
  /** One more look at all files. `acceptDeletions`: whatever is missing was meant to go. */
  reconcile(acceptDeletions?: boolean): Promise<Reconciled>;
  /** Finishes what is being taken in. Must be called before commits are refused. */
  stopTaking(): Promise<void>;
  /** Publishes what is due, once, and stops. */
  close(): Promise<void>;
}

export interface PageFilesParts {
  readonly db: Db;
  readonly group: GroupCommit;
  readonly pages: PageStore;
  readonly lanes: Lanes;
  readonly durableSeq: () => number;
  readonly clock: Clock;
  readonly log: Log;
  readonly step: StepHook;
  /** Hear of edits from outside while they are made; without it they are found at start and when asked for. */
  readonly watch: boolean;
}

/** Files and page store in both directions: versions become files, and what others do to files becomes versions. */
export function pageFiles({ db, group, pages, lanes, durableSeq, clock, log, step, watch }: PageFilesParts): PageFiles {
  const lane = lanes.pages;
  const records = publishRecords(db, group, step);
  const outside = outsideEdits(pages, records, clock, log);
  const publisher = removingFiles(pagePublisher({ lane, records, outside, durableSeq, log }), {
    lane,
    removals: fileRemovals(db, group),
    durableSeq,
    log,
  });
  const folders = pageFolders(lane, records);
  const due = outbox({ publisher, records, folders, durableSeq, log });
  const missing = missingFiles(log);
  const leaving = outsideLeaving(pages, records, clock, log);
  const taking = intake({ lane, records, publisher, outbox: due, folders, leaving, missing, log });
  // A watch misses nothing of a folder once it is listed, so it is there before the first look.
  const watcher: FileWatcher | undefined = watch
    ? fileWatcher({ lanes, records, intake: taking, missing, look: () => work.reconcile(), log })
    : undefined;
  const work = background({
    lane,
    sweep: lanes.sweep,
    records,
    publisher,
    outbox: due,
    intake: taking,
    onLooked: ms => watcher?.looked(ms),
    log,
  });
  let looking: Promise<void> | undefined;
  return {
    wake: due.wake,
    publishedSeq: records.cursor,
    up: due.up,
    missing: missing.count,
    whenSettled: work.whenSettled,
    reconcile: work.reconcile,
    async stopTaking() {
      looking = work.stop();
      await Promise.all([watcher?.stop(), taking.stop()]);
    },
    async close() {
      await due.close();
      await looking;
    },
  };
}
