import { sha256 } from '../../../kernel/hash.ts';
import type { Log } from '../../../kernel/log.ts';
import { META_SKILL_ID, normalizePageId, pageIdProblem } from '../../../pages/index.ts';
import { fileOfPage, pageOfFile } from '../../../pages/lanes/index.ts';
import type { FileLane } from '../../../pages/lanes/ports.ts';
import type { Outbox } from '../publish/outbox.ts';
import type { PageFolders } from '../publish/page-folders.ts';
import type { PagePublisher } from '../publish/publish-pages.ts';
import { isWithoutFile, type PublishRecords } from '../publish/records.ts';
import type { OutsideLeaving } from './leaving.ts';
import type { Missing } from './missing.ts';
import { goneFiles, type GoneFiles } from './renames.ts';

/** Files that are looked at, and pages that are committed, side by side: their commits share syncs. */
const AT_ONCE = 64;

/** What somebody may have done to files. Every one is looked at again before anything is done about it. */
export interface Suspects {
  /** Paths whose file is not as it was published. */
  readonly files: readonly string[];
  /** Pages whose file is not there. */
  readonly gone: readonly string[];
  /** Those of them that are gone for so long that nobody is about to put them back. */
  readonly lost: readonly string[];
}

export interface Taken {
  /** Outside edits that became versions. */
  edited: number;
  /** Outside files that became pages. */
  created: number;
  /** Pages that followed their renamed files. */
  moved: number;
  /** Pages whose files were deleted. */
  archived: number;
  skipped: number;
}

export interface TakeIn {
  /** Archive, however many files are missing. */
  readonly acceptDeletions: boolean;
  /** `lost` names every page whose file is missing. */
  readonly complete: boolean;
}

export interface Intake {
  takeIn(suspects: Suspects, how: TakeIn): Promise<Taken>;
  /** Finishes the files at hand and takes in no more. */
  stop(): Promise<void>;
}

export interface IntakeParts {
  readonly lane: FileLane;
  readonly records: PublishRecords;
  readonly publisher: PagePublisher;
  readonly outbox: Outbox;
  readonly folders: PageFolders;
  readonly leaving: OutsideLeaving;
  readonly missing: Missing;
  readonly log: Log;
}

/** The page that a file stands for, whatever Unicode form its name has; '' for none. */
export const pageOf = (path: string): string => normalizePageId(pageOfFile(path) ?? '');

/** Turns what others did to files into versions, moves and archived pages, between the batches of publishing. */
export function intake({ lane, records, publisher, outbox, folders, leaving, missing, log }: IntakeParts): Intake {
  let stopped = false;

  async function inBatches<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
    for (let at = 0; at < items.length; at += AT_ONCE) {
      await outbox.exclusive(async () => {
        if (!stopped) await Promise.all(items.slice(at, at + AT_ONCE).map(task));
      });
    }
  }

  /** The file under the one name of its page; null, with a line in the log, when it is no page's. */
  async function named(path: string): Promise<string | null> {
    const pageId = pageOf(path);
    const reason = records.head(pageId) ? null : path.endsWith('.md') ? pageIdProblem(pageId) : 'not called .md';
    if (reason !== null) {
      log.debug({ file: path, reason }, 'file is no page');
      return null;
    }
    const name = fileOfPage(pageId);
    if (name === path || (await rename(path, name))) return name;
    log.warn({ file: path, page_id: pageId }, 'two files for one page, this one is skipped');
    return null;
  }

  /** A name in another Unicode form means the same page (L12), so its file gets the one name; false when that is taken. */
  async function rename(from: string, to: string): Promise<boolean> {
    const data = await lane.read(from);
    if (!data) return false;
    const [written] = await lane.write([{ path: to, data, over: null }]);
    return written !== undefined && 'facts' in written && lane.remove(from);
  }

  async function settle(path: string, taken: Taken): Promise<void> {
    const name = await named(path);
    const settled = name === null ? 'skipped' : await publisher.settle(pageOf(name), name);
    if (settled === 'edited' || settled === 'created' || settled === 'skipped') taken[settled] += 1;
  }

  /** Whether the file of this page is to be there and is not. */
  async function isMissing(pageId: string): Promise<boolean> {
    const head = records.head(pageId);
    // What is still to be published has no file yet.
    if (!head || !records.published(pageId) || head.seq > records.cursor()) return false;
    return (await lane.stat(fileOfPage(pageId))) === undefined;
  }

  async function missingOf(pageIds: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    await inBatches(pageIds, async pageId => void ((await isMissing(pageId)) && found.push(pageId)));
    return found;
  }

  function isFree(path: string): boolean {
    const head = records.head(pageOf(path));
    return !head || (head.archived && !records.published(pageOf(path)));
  }

  /** Moves pages whose text turned up under another name; what is left are files like any other. */
  async function followRenames(paths: readonly string[], gone: readonly string[], taken: Taken): Promise<string[]> {
    const sources = (await missingOf(gone)).flatMap(pageId => {
      const published = records.published(pageId);
      return published ? [{ pageId, sha256: published.sha256, size: published.facts.size }] : [];
    });
    const files = goneFiles(sources);
    const left: string[] = [];
    await inBatches(sources.length === 0 ? [] : paths, async path => {
      if (await follow(path, files)) taken.moved += 1;
      else left.push(path);
    });
    return sources.length === 0 ? [...paths] : left;
  }

  async function follow(path: string, gone: GoneFiles): Promise<boolean> {
    const facts = await lane.stat(path);
    if (!facts || !gone.hasSize(facts.size)) return false;
    const name = await named(path);
    const bytes = name === null ? undefined : await lane.read(name);
    const found = name === null ? undefined : await lane.stat(name);
    const from = bytes && found ? gone.take(sha256(bytes), path) : undefined;
    return from !== undefined && found !== undefined && leaving.move(from, pageOf(path), found);
  }

  async function archive(lost: readonly string[], { acceptDeletions, complete }: TakeIn, taken: Taken): Promise<void> {
    if (stopped) return;
    const missed = (await missingOf(lost)).map(pageId => ({ pageId, head: records.head(pageId) }));
    // Archived, but a crash kept it from the record.
    await records.forget(missed.flatMap(({ pageId, head }) => (isWithoutFile(head) ? [pageId] : [])));
    const pages = missed.flatMap(({ pageId, head }) => (head?.archived === false ? [pageId] : []));
    if (acceptDeletions) {
      missing.release();
      await folders.accept();
    } else if (pages.length > 0) {
      const { markdown, other } = records.live();
      const live = markdown + other;
      if (missing.tooMany(pages.length, live) || (await folders.broken())) return missing.hold(pages, live, complete);
    } else if (complete) missing.release();
    await inBatches(pages, async pageId => {
      // The tenant never is without its meta-skill (E159).
      if (pageId === META_SKILL_ID) await publisher.restore(pageId);
      else if ((await isMissing(pageId)) && (await leaving.archive(pageId))) taken.archived += 1;
    });
  }

  return {
    async takeIn({ files, gone, lost }, how) {
      const taken: Taken = { edited: 0, created: 0, moved: 0, archived: 0, skipped: 0 };
      const fresh = gone.length > 0 ? files.filter(isFree) : [];
      const waits = new Set(fresh);
      await inBatches(
        files.filter(path => !waits.has(path)),
        path => settle(path, taken),
      );
      const left = await followRenames(fresh, gone, taken);
      await inBatches(left, path => settle(path, taken));
      await archive(lost, how, taken);
      return taken;
    },
    async stop() {
      stopped = true;
      await outbox.exclusive(() => Promise.resolve());
    },
  };
}
