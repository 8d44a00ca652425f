import { join } from 'node:path';
import { pino } from 'pino';
import { pagesDeps } from '../../src/app/pages.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Ctx } from '../../src/kernel/op.ts';
import { createParseCache, projector } from '../../src/pages/index.ts';
import { updatePage } from '../../src/pages/update-page.op.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage } from '../../src/storage/sqlite/index.ts';
import type { WriteFigures } from './disk.ts';
import { samplePage, SKILL_PAGE } from './sample-pages.ts';
import { cpuSeconds } from './stats.ts';

const CTX: Ctx = {
  principal: { tenant: 'default', subject: 'bench', groups: [], admin: true, metered: true },
  requestId: 'bench',
  transport: 'cli',
  now: systemClock,
  signal: new AbortController().signal,
  note: () => {},
};

/** A page store in a folder, written through the same op that callers use. */
export async function pageWriters(folder: string) {
  const log = pino({ level: 'warn' }, { write: () => true });
  const cache = createParseCache(32 * 1024 * 1024);
  const project = projector(cache.parse);
  const storage = await openStorage({
    dataDir: join(folder, 'data'),
    project,
    lanes: fileLanes,
    clock: systemClock,
    log,
  });
  const deps = pagesDeps(storage, cache, { writeAcl: 'off', autonomyLint: 'off' }, log);

  async function write(page_id: string, content: string): Promise<void> {
    const answer = await updatePage.run(deps, CTX, { page_id, content });
    if (!answer.ok) throw new Error(`${page_id} was refused: ${JSON.stringify(answer.issues)}`);
  }
  await write('markdown/skills/note.md', SKILL_PAGE);

  return {
    write,
    /** Fills the store up to `count` pages, many in one commit, as an import does. */
    async fill(count: number): Promise<void> {
      for (let n = 0; n < count; n += 500) {
        const puts = Array.from({ length: Math.min(500, count - n) }, (_, i) => ({
          ...samplePage(n + i),
          base: 0,
          author: null,
          origin: 'import' as const,
          message: null,
          committedAt: systemClock().toISOString(),
        }));
        const result = await storage.pages.commit({ puts });
        if (!result.committed) throw new Error('the filling collided');
      }
      await storage.whenDrained();
    },
    /** `count` commits of new 1 KB pages by so many writers at once; CPU counts until every file is published. */
    async run(writers: number, first: number, count: number): Promise<WriteFigures> {
      let next = 0;
      const latencies: number[] = [];
      const pages = Array.from({ length: count }, (_, n) => samplePage(first + n));
      const [began, cpu] = [performance.now(), cpuSeconds()];
      await Promise.all(
        Array.from({ length: writers }, async () => {
          for (let n = next++; n < count; n = next++) {
            const { pageId, content } = pages[n]!;
            const started = performance.now();
            await write(pageId, content);
            latencies.push(performance.now() - started);
          }
        }),
      );
      const seconds = (performance.now() - began) / 1000;
      await storage.whenDrained();
      return { commits: count, seconds, cpuSeconds: cpuSeconds() - cpu, latencies };
    },
    close: () => storage.close(),
  };
}
