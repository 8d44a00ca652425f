import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { corpusPage, firstPages } from './pages-corpus.ts';
import { pagesStore } from './pages-store.ts';
import { cpuSeconds } from './stats.ts';

/** Milliseconds a page. */
export interface RebuildFigures {
  readonly clock: number;
  readonly cpu: number;
  /** CPU of each step; together all of it. */
  readonly steps: readonly (readonly [name: string, cpu: number])[];
  /** CPU of making the index anew from the stored versions alone. */
  readonly fromVersions: number;
}

/**
 * State and index out of a folder of markdown files and nothing else, as after a restore of the files alone: from the start of
 * the store until every page is stored, found, and compared with its file once more.
 */
export async function rebuildFromMarkdown(at: string, count: number): Promise<RebuildFigures> {
  const first = firstPages();
  const past = new Date('2026-01-01T00:00:00Z');
  for (let n = -first.length; n < count; n++) {
    const { pageId, content } = n < 0 ? first[n + first.length]! : corpusPage(n);
    const file = join(at, 'data', pageId);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { mode: 0o600 });
    utimesSync(file, past, past);
  }
  const began = performance.now();
  const whole = meter(count);
  const pages = await pagesStore(at);
  await pages.storage.whenDrained();
  await pages.storage.reconcile();
  const [clock, cpu] = [(performance.now() - began) / count, whole()];
  const deriving = pages.derivingMs() / count;

  const looking = meter(count);
  const { files, created } = await pages.storage.reconcile();
  if (files !== count + first.length || created > 0) throw new Error('not every file became a page');
  // The start looks at all files once, this bench once more.
  const look = looking() * 2;

  const before = pages.derivingMs();
  const again = meter(count);
  await pages.storage.rebuild();
  const fromVersions = again();
  const rows = fromVersions - (pages.derivingMs() - before) / count;
  await pages.storage.close();
  rmSync(at, { recursive: true, force: true });
  const steps = [
    ['listing files and comparing them', look],
    ['deriving', deriving],
    ['rows of the index', rows],
    ['reading files and storing versions', cpu - look - deriving - rows],
  ] as const;
  return { clock, cpu, steps, fromVersions };
}

/** CPU milliseconds a page from here on. */
function meter(count: number): () => number {
  const from = cpuSeconds();
  return () => ((cpuSeconds() - from) * 1000) / count;
}
