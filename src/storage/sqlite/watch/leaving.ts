import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import type { FileFacts } from '../../../pages/lanes/ports.ts';
import type { PageStore } from '../../../pages/ports.ts';
import type { PublishRecords } from '../publish/records.ts';
import { archivedText } from './archived-text.ts';

export interface OutsideLeaving {
  /** Archives a page whose file was deleted, by `external`; false when it changed meanwhile or is no live page. */
  archive(pageId: string): Promise<boolean>;
  /** Gives a page the id that its renamed file stands for, with all its versions; false when it cannot have it. */
  move(from: string, to: string, facts: FileFacts): Promise<boolean>;
}

/** What deleting and renaming files does to pages (deviations, "Files changed from outside"). */
export function outsideLeaving(store: PageStore, records: PublishRecords, clock: Clock, log: Log): OutsideLeaving {
  async function committed(pageId: string, changes: Parameters<PageStore['commit']>[0]): Promise<boolean> {
    try {
      return (await store.commit(changes)).committed;
    } catch (error) {
      // A fault of ours must not hold up other pages; the next look finds the file missing again.
      log.error({ err: error, page_id: pageId }, 'what happened to a file could not be committed');
      return false;
    }
  }

  return {
    async archive(pageId) {
      const head = await store.head(pageId);
      if (!head || head.archived) return false;
      const put = {
        pageId,
        base: head.version,
        content: archivedText(head.content),
        author: 'external',
        origin: 'external',
        message: 'its file was deleted',
        committedAt: clock().toISOString(),
        archive: true,
      } as const;
      if (!(await committed(pageId, { puts: [put] }))) return false;
      await records.forget([pageId]);
      log.info({ page_id: pageId, version: head.version + 1 }, 'page archived: its file was deleted');
      return true;
    },
    async move(from, to, facts) {
      const [head, target, published] = [records.head(from), records.head(to), records.published(from)];
      if (!head || !published || (target && !target.archived)) return false;
      const over = target?.version ?? 0;
      const move = {
        from,
        base: head.version,
        to,
        over,
        message: `its file was renamed from ${from}`,
        committedAt: clock().toISOString(),
        author: 'external',
      } as const;
      if (!(await committed(from, { puts: [], moves: [move] }))) return false;
      // The file may hold an older version than the head: publishing then writes over it.
      await records.record([{ pageId: to, published: { ...published, version: published.version + over, facts } }]);
      log.info({ from, to }, 'page moved: its file was renamed');
      return true;
    },
  };
}
