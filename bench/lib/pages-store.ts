import { join } from 'node:path';
import { pino } from 'pino';
import { pagesDeps } from '../../src/app/pages.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createParseCache, projector } from '../../src/pages/index.ts';
import type { FileLane, OpenLanes } from '../../src/pages/lanes/ports.ts';
import type { PagePut, Project } from '../../src/pages/ports.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage } from '../../src/storage/sqlite/index.ts';
import { corpusPage, firstPages, type CorpusPage } from './pages-corpus.ts';
import { cpuSeconds } from './stats.ts';

const AT_ONCE = 500;

const noFiles: OpenLanes = (dataDir, step) => {
  const lanes = fileLanes(dataDir, step);
  const facts = { size: 0, mtimeMs: 0, mark: '' };
  const write: FileLane['write'] = async batch => batch.map(({ path }) => ({ path, facts }));
  return { ...lanes, pages: { ...lanes.pages, write, identity: async () => 'none' } };
};

export interface Loaded {
  readonly pagesPerSecond: number;
  readonly cpuMsOfPage: number;
}

/** A page store in a folder, without files of the pages where they would take too long. */
export async function pagesStore(folder: string, files = true) {
  const log = pino({ level: 'warn' }, { write: () => true });
  const cache = createParseCache(32 * 1024 * 1024);
  const derive = projector(cache.parse);
  let deriving = 0;
  const project: Project = (pageId, content) => {
    const started = performance.now();
    const derived = derive(pageId, content);
    deriving += performance.now() - started;
    return derived;
  };
  const dataDir = join(folder, 'data');
  const storage = await openStorage({ dataDir, project, lanes: files ? fileLanes : noFiles, clock: systemClock, log });

  async function commit(pages: readonly CorpusPage[], base = 0): Promise<void> {
    const committedAt = systemClock().toISOString();
    const more = { base, author: null, origin: 'import', message: null, committedAt } as const;
    const puts = pages.map((page): PagePut => ({ ...page, ...more }));
    const result = await storage.pages.commit({ puts });
    if (!result.committed) throw new Error('the filling collided');
  }

  return {
    dataDir,
    storage,
    deps: pagesDeps(storage, cache, { writeAcl: 'off', autonomyLint: 'off' }, log),
    /** Milliseconds that deriving rows from texts took so far. */
    derivingMs: () => deriving,
    commit,
    /** Loads so many pages, counted until the last one is committed and searchable; files follow. */
    async load(count: number): Promise<Loaded> {
      await commit(firstPages());
      const [started, cpu] = [performance.now(), cpuSeconds()];
      for (let n = 0; n < count; n += AT_ONCE) {
        await commit(Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, i) => corpusPage(n + i)));
      }
      const seconds = (performance.now() - started) / 1000;
      return { pagesPerSecond: count / seconds, cpuMsOfPage: ((cpuSeconds() - cpu) / count) * 1000 };
    },
  };
}
