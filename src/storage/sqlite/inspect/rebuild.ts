import { setImmediate as turn } from 'node:timers/promises';
import type { PageLedger, Rebuilt } from '../../../admin/ports.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import type { Progress } from '../../../kernel/op.ts';
import type { PageStore } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { IndexWriter } from '../index/index-writer.ts';
import type { NewestVersions } from '../index/versions.ts';
import type { GroupCommit } from '../state/group-commit.ts';
import { archiveMarked } from './archive-marked.ts';

const AT_ONCE = 20;
/** More than one batch of commits can bring, so that the rest grows smaller while others write. */
const REST_AT_ONCE = 200;
const PAGES_AT_ONCE = 2000;
const REPORT_EVERY_MS = 5000;

export interface RebuildParts {
  readonly writer: IndexWriter;
  readonly versions: NewestVersions;
  readonly ledger: PageLedger;
  readonly group: GroupCommit;
  readonly state: Db;
  readonly store: Pick<PageStore, 'head' | 'commit'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
}

/**
 * Derives every page again from its newest version, a few between two commits, each whole: a reader finds the old rows or
 * the new ones. Then drops rows that belong to no page, and archives pages that say so themselves.
 */
export async function rebuildIndex(parts: RebuildParts, stopped: () => boolean): Promise<Rebuilt> {
  const { writer, versions, ledger, group, state, store, clock, log, progress } = parts;
  const count = state.prepare<[], { pages: number }>('SELECT count(*) AS pages FROM page_head');
  const live = state.prepare<[string], { version: number }>(
    'SELECT version FROM page_head WHERE page_id = ? AND archived = 0',
  );
  const total = (): number => count.get()!.pages;
  const done = new Set<string>();
  const marked = new Set<string>();
  let from = 0;
  let reported = Date.now();

  async function pass(to: () => number, atOnce: number): Promise<void> {
    while (from < to()) {
      await between(() => {
        const { versions: batch, upTo } = versions.between(from, to(), atOnce);
        writer.rewrite(batch);
        for (const { pageId, version, archived, projection } of batch) {
          if (version > 0) done.add(pageId);
          if (!archived && projection.facts.archived) marked.add(pageId);
        }
        from = upTo;
      });
      progress(done.size, total());
      if (Date.now() - reported < REPORT_EVERY_MS) continue;
      reported = Date.now();
      log.info({ done: done.size, total: total() }, 'rebuilding the index');
    }
  }

  async function between(task: () => void): Promise<void> {
    await turn();
    if (stopped()) throw new Error('the store was closed');
    await group.between(task);
  }

  const start = versions.newestSeq();
  await pass(() => start, AT_ONCE);
  await pass(versions.newestSeq, REST_AT_ONCE);
  for await (const rows of ledger.walk()) {
    const lost = rows.filter(({ indexed, stored }) => indexed !== null && (stored === null || stored.archived));
    for (const { pageId } of lost) {
      await between(() => {
        if (!live.get(pageId)) writer.drop(pageId);
      });
    }
  }
  for (let at = 0; at <= writer.lastPageNo(); at += PAGES_AT_ONCE) {
    await between(() => writer.sweep(at, at + PAGES_AT_ONCE));
  }
  await between(writer.recount);
  await archiveMarked(store, marked, clock);
  const outcome = { done: done.size, total: Math.max(done.size, total()) };
  log.info(outcome, 'index rebuilt');
  return outcome;
}
