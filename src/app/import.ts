import { destination } from 'pino';
import { createLog } from '../kernel/log.ts';
import { sha256 } from '../kernel/hash.ts';
import { systemClock } from '../kernel/clock.ts';
import { project } from '../pages/index.ts';
import type { PageStore } from '../pages/ports.ts';
import { fileLanes } from '../storage/lanes/index.ts';
import { openStorage } from '../storage/sqlite/index.ts';
import type { Settings } from '../kernel/settings/index.ts';

export interface ImportedPage {
  readonly pageId: string;
  readonly content: string;
}
export interface ImportOutcome {
  readonly pageId: string;
  readonly outcome: 'created' | 'unchanged' | 'refused';
  readonly reason?: string;
}
export interface Importer {
  existing(pageId: string): Promise<{ sha256: string } | undefined>;
  write(batch: readonly ImportedPage[]): Promise<readonly ImportOutcome[]>;
  close(): Promise<void>;
}

/** Opens the data folder for an import; refused with `data-folder-locked` while a server runs on it. */
export async function openImporter(settings: Settings): Promise<Importer> {
  const log = createLog(
    { level: 'warn', env: settings.observability.logEnv, version: settings.server.version },
    destination(2),
  );
  const storage = await openStorage({
    dataDir: settings.server.dataDir,
    project,
    lanes: fileLanes,
    clock: systemClock,
    log,
  });
  return {
    async existing(pageId) {
      const head = await storage.pages.head(pageId);
      return head && !head.archived ? { sha256: head.sha256 } : undefined;
    },
    write: batch => writeAll(storage.pages, batch),
    async close() {
      try {
        await storage.whenDrained();
      } finally {
        await storage.close();
      }
    },
  };
}

/** Each page by itself, so that one that is refused does not hold up the rest; they share fsyncs all the same. */
function writeAll(store: PageStore, batch: readonly ImportedPage[]): Promise<ImportOutcome[]> {
  return Promise.all(batch.map(page => writeOne(store, page)));
}

async function writeOne(store: PageStore, { pageId, content }: ImportedPage): Promise<ImportOutcome> {
  const head = await store.head(pageId);
  if (head && !head.archived && head.sha256 === sha256(content)) return { pageId, outcome: 'unchanged' };
  const result = await store.commit({
    puts: [
      {
        pageId,
        base: head?.version ?? 0,
        content,
        author: null,
        origin: 'import',
        message: null,
        committedAt: systemClock().toISOString(),
      },
    ],
  });
  if (result.committed) return { pageId, outcome: 'created' };
  const reason =
    result.blocked.length > 0 ? 'the id would be the folder of another page' : 'the page changed meanwhile';
  return { pageId, outcome: 'refused', reason };
}
