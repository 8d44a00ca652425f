import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../kernel/log.ts';
import { normalizePageId, pageIdProblem, parseAt } from '../pages/index.ts';
import type { PagePut, PageStore } from '../pages/ports.ts';

/** What versions of the history say of themselves: the page's own file may still follow them. */
export const SEEDED_PAST = 'seed: history';

const History = z.array(
  z.object({ page_id: z.string(), states: z.array(z.object({ taken_at: z.string(), markdown: z.string() })) }),
);

interface Past {
  readonly store: PageStore;
  readonly log: Log;
}

/**
 * Stores what `history.json` of a seed folder tells of pages that are not there yet: each state a version of the moment
 * it names, oldest first (E158). What cannot be read is named in the log and left out.
 */
export async function seedHistory(folder: string, { store, log }: Past): Promise<void> {
  const pages = await historyOf(join(folder, 'history.json'), log);
  for (const { page_id, states } of pages) {
    const pageId = normalizePageId(page_id);
    const dated = states.flatMap(({ taken_at, markdown }) => {
      const at = parseAt(taken_at);
      return at === null ? [] : [{ at, markdown }];
    });
    const problem = pageIdProblem(pageId) ?? (dated.length < states.length ? 'a taken_at is no time' : null);
    if (problem !== null) log.warn({ page_id: pageId, reason: problem }, 'seed history skipped');
    else await plant(store, pageId, dated);
  }
}

/** A start that ended in between goes on where it was. */
async function plant(store: PageStore, pageId: string, states: readonly { at: string; markdown: string }[]) {
  const head = await store.head(pageId);
  if (head && head.message !== SEEDED_PAST) return;
  const ordered = states.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (let base = head?.version ?? 0; base < ordered.length; base++) {
    const { at, markdown } = ordered[base]!;
    const put: PagePut = {
      pageId,
      base,
      content: markdown,
      author: null,
      origin: 'system',
      message: SEEDED_PAST,
      committedAt: at,
    };
    const result = await store.commit({ puts: [put] });
    if (!result.committed) throw new Error(`seed history of ${pageId} changed while it was planted`);
  }
}

async function historyOf(path: string, log: Log): Promise<z.output<typeof History>> {
  try {
    return History.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    log.warn(
      { file: 'history.json', reason: error instanceof Error ? error.message : String(error) },
      'seed file skipped',
    );
    return [];
  }
}
