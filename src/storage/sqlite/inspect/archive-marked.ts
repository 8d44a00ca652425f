import type { Clock } from '../../../kernel/clock.ts';
import type { PageStore } from '../../../pages/ports.ts';

/**
 * Archives pages whose own text says that they are archived: a caller who wrote that had them live until the rebuild
 * (E145, E146). Pages that changed meanwhile are left to the next one.
 */
export async function archiveMarked(
  store: Pick<PageStore, 'head' | 'commit'>,
  pageIds: Iterable<string>,
  clock: Clock,
): Promise<void> {
  for (const pageId of pageIds) {
    const head = await store.head(pageId);
    if (!head || head.archived) continue;
    await store.commit({
      puts: [
        {
          pageId,
          base: head.version,
          content: head.content,
          author: null,
          // By `system` the text decides, so a text that changed since is archived only if it still says so.
          origin: 'system',
          message: 'its text says that it is archived',
          committedAt: clock().toISOString(),
        },
      ],
    });
  }
}
