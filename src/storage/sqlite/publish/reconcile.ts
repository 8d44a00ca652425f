import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../../kernel/log.ts';
import { normalizePageId, pageIdProblem } from '../../../pages/index.ts';
import { fileOfPage, PAGE_FOLDERS, pageOfFile } from '../../../pages/lanes/index.ts';
import type { FileEntry, FileLane } from '../../../pages/lanes/ports.ts';
import type { Outbox } from './outbox.ts';
import type { PagePublisher, Settled } from './publish-pages.ts';
import type { PublishRecords } from './records.ts';

const HEADS_AT_ONCE = 200;

/** What one look at all files found. */
export interface Reconciled {
  readonly files: number;
  /** Outside edits that became versions. */
  readonly edited: number;
  /** Outside files that became pages. */
  readonly created: number;
  /** Files that were gone and are back. */
  readonly restored: number;
  readonly skipped: number;
}

export interface ReconcileParts {
  readonly lane: FileLane;
  readonly records: PublishRecords;
  readonly publisher: PagePublisher;
  readonly outbox: Outbox;
  readonly log: Log;
}

/**
 * Compares every file with what was published. Only files whose size or time differ are read; new ones become pages when
 * they end in `.md`. Ends early, with what it found so far, when `stopped` says so.
 */
export async function reconcile(parts: ReconcileParts, stopped: () => boolean): Promise<Reconciled> {
  const { lane, records, log } = parts;
  const seen = new Set<string>();
  // Pages that are committed from here on have their files to come.
  const published = records.cursor();
  const found = { files: 0, edited: 0, created: 0, restored: 0, skipped: 0 };
  const add = (settled: Settled): void => {
    if (settled === 'edited' || settled === 'created' || settled === 'skipped') found[settled] += 1;
  };
  for (const folder of PAGE_FOLDERS) {
    for await (const entry of lane.list(folder)) {
      if (stopped()) return found;
      found.files += 1;
      const pageId = normalizePageId(pageOfFile(entry.path) ?? '');
      seen.add(pageId);
      const record = records.published(pageId);
      const same =
        entry.path === fileOfPage(pageId) &&
        record?.facts.size === entry.size &&
        record.facts.mtimeMs === entry.mtimeMs;
      if (!same) add(await lookAt(parts, pageId, entry));
    }
  }
  for (let last: string | undefined = ''; last !== undefined;) {
    await turn();
    if (stopped()) return found;
    const ids = records.heads(published, last, HEADS_AT_ONCE);
    for (const pageId of ids) if (!seen.has(pageId) && (await restore(parts, pageId))) found.restored += 1;
    last = ids.at(-1);
  }
  log.info(found, 'files reconciled');
  return found;
}

function lookAt({ lane, records, publisher, outbox, log }: ReconcileParts, pageId: string, entry: FileEntry) {
  return outbox.exclusive(async (): Promise<Settled> => {
    const reason = records.head(pageId) ? null : entry.path.endsWith('.md') ? pageIdProblem(pageId) : 'not called .md';
    if (reason !== null) {
      log.info({ file: entry.path, reason }, 'file is no page');
      return 'skipped';
    }
    const path = fileOfPage(pageId);
    if (path !== entry.path && !(await rename(lane, entry.path, path))) {
      log.warn({ file: entry.path, page_id: pageId }, 'two files for one page, this one is skipped');
      return 'skipped';
    }
    return publisher.settle(pageId, path);
  });
}

/** A name in another Unicode form means the same page (L12), so its file gets the one name; false when that is taken. */
async function rename(lane: FileLane, from: string, to: string): Promise<boolean> {
  const data = await lane.read(from);
  if (!data) return false;
  const [written] = await lane.write([{ path: to, data, over: null }]);
  return written !== undefined && 'facts' in written && lane.remove(from);
}

function restore({ publisher, outbox, log }: ReconcileParts, pageId: string): Promise<boolean> {
  return outbox.exclusive(async () => {
    const restored = await publisher.restore(pageId);
    if (restored) log.warn({ page_id: pageId }, 'file was gone and is published again');
    return restored;
  });
}
