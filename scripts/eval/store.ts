import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../src/kernel/clock.ts';
import { createParseCache, projector } from '../../src/pages/index.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage, type Storage } from '../../src/storage/sqlite/index.ts';
import type { OpenStorageOptions } from '../../src/storage/sqlite/index.ts';

const AT_ONCE = 200;

/** A store in a temporary folder with these pages in it, as a server would keep them. */
export async function storeOf(
  pages: ReadonlyMap<string, string>,
  more: Partial<OpenStorageOptions> = {},
): Promise<{ readonly storage: Storage; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-eval-'));
  const storage = await openStorage({
    dataDir: join(folder, 'data'),
    project: projector(createParseCache(0).parse),
    lanes: fileLanes,
    clock: systemClock,
    log: pino({ level: 'error' }, process.stderr),
    ...more,
  });
  const all = [...pages];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const puts = all.slice(from, from + AT_ONCE).map(([pageId, content]) => ({
      pageId,
      base: 0,
      content,
      author: null,
      origin: 'import' as const,
      message: null,
      committedAt: systemClock().toISOString(),
    }));
    const result = await storage.pages.commit({ puts });
    if (!result.committed) throw new Error(`pages were refused: ${JSON.stringify(result)}`);
  }
  return {
    storage,
    async close() {
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
