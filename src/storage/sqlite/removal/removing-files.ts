import { sha256 } from '../../../kernel/hash.ts';
import type { Log } from '../../../kernel/log.ts';
import { fileOfPage } from '../../../pages/lanes/index.ts';
import type { FileLane } from '../../../pages/lanes/ports.ts';
import type { PagePublisher } from '../publish/publish-pages.ts';
import type { FileRemovals } from './file-removals.ts';

export interface RemovingParts {
  readonly lane: FileLane;
  readonly removals: FileRemovals;
  /** The newest commit that a power cut cannot take: no file goes before its removal is certain. */
  readonly durableSeq: () => number;
  readonly log: Log;
}

/** The publisher, with files of purged and moved pages removed before anything else is done under their id. */
export function removingFiles(inner: PagePublisher, parts: RemovingParts): PagePublisher {
  const { lane, removals, durableSeq, log } = parts;

  /** False while the removal may still be taken back. */
  async function clear(pageId: string): Promise<boolean> {
    const removal = removals.due(pageId);
    if (!removal) return true;
    if (removal.seq > durableSeq()) return false;
    const path = fileOfPage(pageId);
    const bytes = await lane.read(path);
    // The page may have wandered on while its file was read.
    const movedTo = removals.due(pageId)?.movedTo ?? null;
    const known = movedTo === null || (bytes && removals.wrote(movedTo, sha256(bytes)));
    if (known) await lane.remove(path);
    else if (bytes)
      log.warn({ page_id: pageId, file: path }, 'file of a moved page was changed from outside and is left');
    await removals.done(pageId, removal.seq);
    return true;
  }

  return {
    async publish(pageIds) {
      if (removals.any()) for (const pageId of pageIds) await clear(pageId);
      await inner.publish(pageIds);
    },
    restore: inner.restore,
    settle: async (pageId, path) => ((await clear(pageId)) ? inner.settle(pageId, path) : 'skipped'),
  };
}
