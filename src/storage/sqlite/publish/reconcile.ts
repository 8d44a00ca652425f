import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../kernel/log.ts';
import { fileOfPage, PAGE_FOLDERS, sameFacts } from '../../../pages/lanes/index.ts';
import type { FileEntry, FileLane } from '../../../pages/lanes/ports.ts';
import { pageOf, type Intake, type Taken } from '../watch/intake.ts';
import { isCoarse, REST_MS } from './at-rest.ts';
import type { Outbox } from './outbox.ts';
import type { PagePublisher } from './publish-pages.ts';
import type { PublishRecords } from './records.ts';

const HEADS_AT_ONCE = 200;
const COARSE_DOUBT_MS = 60_000;

/** What one look at all files found. */
export interface Reconciled extends Taken {
  readonly files: number;
  /** Files that were never written and now are. */
  readonly restored: number;
}

export interface ReconcileParts {
  readonly lane: FileLane;
  readonly records: PublishRecords;
  readonly publisher: PagePublisher;
  readonly outbox: Outbox;
  readonly intake: Intake;
  readonly log: Log;
}

/**
 * Compares every file with what was published and takes in what differs. Only files whose size or time differ are read; new
 * ones become pages when they end in `.md`. Ends early when `stopped` says so.
 */
export async function reconcile(
  parts: ReconcileParts,
  stopped: () => boolean,
  acceptDeletions = false,
): Promise<Reconciled> {
  const { records, intake } = parts;
  // Pages that are committed from here on have their files to come.
  const published = records.cursor();
  const { seen, changed } = await listed(parts, stopped);
  const { gone, never } = await unseen(parts, seen, published, stopped);
  // A file that is gone for a moment is being saved by rename.
  if (gone.some(pageId => records.head(pageId)?.archived === false) && !stopped()) await sleep(REST_MS);
  const counted = { files: seen.files, restored: 0 };
  if (stopped()) return { ...counted, edited: 0, created: 0, moved: 0, archived: 0, skipped: 0 };
  const taken = await intake.takeIn({ files: changed, gone, lost: gone }, { acceptDeletions, complete: true });
  for (const pageId of never) if (!stopped() && (await restore(parts, pageId))) counted.restored += 1;
  return { ...counted, ...taken };
}

async function listed({ lane, records }: ReconcileParts, stopped: () => boolean) {
  const seen = { pages: new Set<string>(), files: 0 };
  const changed: string[] = [];
  for (const folder of PAGE_FOLDERS) {
    for await (const entry of lane.list(folder)) {
      if (stopped()) return { seen, changed };
      seen.files += 1;
      const pageId = pageOf(entry.path);
      seen.pages.add(pageId);
      if (!isAsPublished(records, pageId, entry)) changed.push(entry.path);
    }
  }
  return { seen, changed };
}

function isAsPublished(records: PublishRecords, pageId: string, entry: FileEntry): boolean {
  if (entry.path !== fileOfPage(pageId) || !sameFacts(records.published(pageId)?.facts, entry)) return false;
  return !isCoarse(entry) || Date.now() - entry.mtimeMs > COARSE_DOUBT_MS;
}

/** Pages without a file that are to have one: `gone` had it, `never` could not get it. */
async function unseen(
  { records }: ReconcileParts,
  seen: { readonly pages: ReadonlySet<string> },
  published: number,
  stopped: () => boolean,
) {
  const gone: string[] = [];
  const never: string[] = [];
  for (let last: string | undefined = ''; last !== undefined && !stopped();) {
    await turn();
    const ids = records.heads(published, last, HEADS_AT_ONCE);
    for (const pageId of ids) {
      if (!seen.pages.has(pageId)) (records.published(pageId) ? gone : never).push(pageId);
    }
    last = ids.at(-1);
  }
  return { gone, never };
}

function restore({ publisher, outbox, log }: ReconcileParts, pageId: string): Promise<boolean> {
  return outbox.exclusive(async () => {
    const restored = await publisher.restore(pageId);
    if (restored) log.warn({ page_id: pageId }, 'file was missing and is published');
    return restored;
  });
}
