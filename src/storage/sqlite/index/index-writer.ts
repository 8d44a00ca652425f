import Database from 'better-sqlite3';
import type { Log } from '../../../kernel/log.ts';
import type { Db } from '../database.ts';
import type { StepHook } from '../steps.ts';
import { accessClasses, type AccessClasses } from './classes.ts';
import { pageWriter } from './page-writer.ts';
import { progressRow, type Progress } from './progress.ts';
import type { Derived } from './rows.ts';
import type { NewestVersions } from './versions.ts';

/** How long, and how many pages and blocks (of 1 KiB), rows may wait for their commit: a crash costs their derivation, nothing else. */
const COMMIT_AFTER_MS = 500;
const COMMIT_AFTER_ROWS = 4096;
const ROW_CHARS = 1024;
/** Between two bits of the work that waits. */
const STEP_AFTER_MS = 5;
const CATCH_UP_AT_ONCE = 200;

export interface IndexWriter {
  readonly classes: AccessClasses;
  /** Grows when rows of pages may have changed. */
  changes(): number;
  /** Grows when rows that this connection may have read are rolled back. */
  rollbacks(): number;
  /** Grows when a skill page or an access class changes. */
  revision(): number;
  progress(): Readonly<Progress>;
  /** Brings in the versions of one commit batch; when some before them are missing, all up to `durableSeq` from state. */
  apply(batch: readonly Derived[], durableSeq: number): void;
  /** Brings in everything up to `durableSeq` that is missing. */
  catchUp(durableSeq: number): void;
  /** Derives pages and moves the fill forward. */
  fill(batch: readonly Derived[], upTo: number): void;
  /** Declares which commits are to be filled in, and that the rest up to `applied` needs nothing. */
  plan(change: Partial<Progress>): void;
  /** Derives pages anew, taking nothing over from the rows that are there. */
  rewrite(batch: readonly Derived[]): void;
  /** Drops a page that the page store does not have. */
  drop(pageId: string): void;
  /** Drops rows that hang on no page, for page numbers from `from` on, below `to`. */
  sweep(from: number, to: number): void;
  /** The highest page number that anything hangs on. */
  lastPageNo(): number;
  /** Counts the blocks again and commits. */
  recount(): void;
  /** Commits what waits, so that other connections see it. */
  flush(): void;
  /** Runs a task with everything committed; of itself the writer begins nothing meanwhile. */
  atRest(task: () => Promise<void>): Promise<void>;
}

export interface IndexWriterParts {
  readonly versions: NewestVersions;
  readonly step: StepHook;
  readonly log: Log;
  readonly onFlushed: () => void;
}

/**
 * The one writer of the index. Its transaction stays open over several batches, for its rows are derived: readers on this
 * connection see them at once, and after a crash state.sqlite gives them again. Nothing but this writer uses the
 * transaction, so a rollback can only take rows that the catch-up brings back.
 */
export function indexWriter(db: Db, { versions, step, log, onFlushed }: IndexWriterParts): IndexWriter {
  let revision = 1;
  const grow = (): void => {
    revision += 1;
  };
  const classes = accessClasses(db, grow);
  const pages = pageWriter(db, classes, versions.of, grow);
  const row = progressRow(db);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  let progress = row.read();
  let waiting = 0;
  let changes = 0;
  let rollbacks = 0;
  let stepping: NodeJS.Timeout | undefined;
  let resting = false;
  let timer: NodeJS.Timeout | undefined;

  function open(): void {
    if (db.inTransaction) return;
    begin.run();
    step('index.begin');
    timer ??= setTimeout(flushLater, COMMIT_AFTER_MS).unref();
  }

  function write(derived: Derived, how: 'write' | 'rewrite' = 'write'): void {
    progress.blocks += pages[how](derived);
    waiting += 1;
    for (const { content } of derived.projection.blocks) waiting += Math.ceil(content.length / ROW_CHARS);
  }

  /** A page whose rows cannot be written is left out, so that it does not hold up the others for ever. */
  function writeOrSkip(derived: Derived, how?: 'rewrite'): void {
    db.exec('SAVEPOINT one_page');
    try {
      write(derived, how);
    } catch (error) {
      if (error instanceof Database.SqliteError) throw error;
      db.exec('ROLLBACK TO one_page');
      // They may remember rows that are gone now.
      classes.reload();
      pages.reload();
      log.error({ err: error, page_id: derived.pageId }, 'page cannot be indexed');
    }
    db.exec('RELEASE one_page');
  }

  function undo(): void {
    if (db.inTransaction) db.exec('ROLLBACK');
    progress = row.read();
    waiting = 0;
    classes.reload();
    pages.reload();
    rollbacks += 1;
    changes += 1;
    grow();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!db.inTransaction) return;
    try {
      progress.applied_sha = versions.shaAt(progress.applied_seq);
      row.save(progress);
      commit.run();
    } catch (error) {
      undo();
      throw error;
    }
    waiting = 0;
    step('index.commit');
    onFlushed();
  }

  function flushLater(): void {
    try {
      flush();
    } catch (error) {
      log.error({ err: error }, 'index could not be saved, it catches up with the next commit');
    }
  }

  function inTransaction(work: () => void): void {
    changes += 1;
    try {
      open();
      work();
      if (pages.step()) stepping ??= setTimeout(stepLater, STEP_AFTER_MS).unref();
    } catch (error) {
      undo();
      throw error;
    }
    if (waiting >= COMMIT_AFTER_ROWS) flush();
  }

  function stepLater(): void {
    if (resting) return void stepping!.refresh();
    stepping = undefined;
    try {
      inTransaction(() => {});
    } catch (error) {
      log.error({ err: error }, 'the word index could not be worked on, it goes on with the next commit');
    }
  }

  function catchUp(durableSeq: number): void {
    while (progress.applied_seq < durableSeq) {
      const { versions: batch, upTo } = versions.between(progress.applied_seq, durableSeq, CATCH_UP_AT_ONCE);
      inTransaction(() => {
        for (const derived of batch) writeOrSkip(derived);
        progress.applied_seq = upTo;
      });
    }
  }

  return {
    classes,
    rollbacks: () => rollbacks,
    changes: () => changes,
    revision: () => revision,
    progress: () => progress,
    apply(batch, durableSeq) {
      const first = batch[0];
      if (!first) return;
      try {
        if (first.seq !== progress.applied_seq + 1) throw new Gap();
        inTransaction(() => {
          for (const derived of batch) write(derived);
          progress.applied_seq = durableSeq;
        });
      } catch (error) {
        if (!(error instanceof Gap)) log.error({ err: error }, 'index write failed, catching up from the page store');
        catchUp(durableSeq);
      }
    },
    catchUp,
    fill(batch, upTo) {
      inTransaction(() => {
        for (const derived of batch) writeOrSkip(derived);
        progress.fill_from = upTo;
        if (upTo === progress.fill_to) progress.fill_hides = 0;
      });
    },
    plan(change) {
      inTransaction(() => {
        progress = { ...progress, ...change };
      });
      flush();
    },
    rewrite(batch) {
      inTransaction(() => {
        for (const derived of batch) writeOrSkip(derived, 'rewrite');
      });
    },
    drop(pageId) {
      inTransaction(() => {
        progress.blocks += pages.drop(pageId);
      });
    },
    sweep: (from, to) => inTransaction(() => pages.sweeper.orphans(from, to)),
    lastPageNo: pages.sweeper.last,
    recount() {
      inTransaction(() => {
        progress.blocks = pages.sweeper.recount();
      });
      flush();
    },
    flush,
    async atRest(task) {
      flush();
      resting = true;
      try {
        await task();
      } finally {
        resting = false;
      }
    },
  };
}

class Gap extends Error {}
