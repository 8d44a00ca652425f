import { watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { systemClock } from '../../src/kernel/clock.ts';
import { sha256 } from '../../src/kernel/hash.ts';
import { project } from '../../src/pages/index.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage, type Storage } from '../../src/storage/sqlite/index.ts';
import { samplePage } from './sample-pages.ts';
import { cpuSeconds } from './stats.ts';

/** What a process of its own does to a store with files, and what it took. */
export type FilesTask =
  | { readonly kind: 'fill'; readonly pages: number }
  | { readonly kind: 'start'; readonly watch: boolean }
  | { readonly kind: 'save'; readonly saves: number }
  | { readonly kind: 'checkout'; readonly files: number }
  | { readonly kind: 'write'; readonly watch: boolean; readonly commits: number }
  /** Watches every file, as Node does it, and opens no store. */
  | { readonly kind: 'recursive' };

export type FilesFigures = Readonly<Record<string, readonly number[]>>;

const [dataDir, task] = [process.argv[2], process.argv[3]];
if (dataDir && task) process.stdout.write(`${JSON.stringify(await run(dataDir, JSON.parse(task) as FilesTask))}\n`);

async function run(folder: string, what: FilesTask): Promise<FilesFigures> {
  if (what.kind === 'recursive') return recursive(folder);
  const [began, cpu] = [performance.now(), cpuSeconds()];
  const storage = await openStorage({
    dataDir: folder,
    project,
    lanes: fileLanes,
    clock: systemClock,
    log: pino({ level: 'error' }),
    watch: what.kind === 'save' || what.kind === 'checkout' || ('watch' in what && what.watch),
  });
  const opened = performance.now() - began;
  await storage.whenDrained();
  try {
    if (what.kind === 'fill') return await fill(storage, what.pages);
    if (what.kind === 'save') return await save(storage, folder, what.saves);
    if (what.kind === 'checkout') return await checkout(storage, folder, what.files);
    if (what.kind === 'write') return await write(storage, what.commits);
    return { opened: [opened], looked: [performance.now() - began], cpu: [cpuSeconds() - cpu], memory: [rss()] };
  } finally {
    await storage.close();
  }
}

/** MiB, after the garbage is gone. */
function rss(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1024 / 1024;
}

async function fill(storage: Storage, pages: number): Promise<FilesFigures> {
  for (let n = 0; n < pages; n += 500) {
    const puts = Array.from({ length: Math.min(500, pages - n) }, (_, i) => putOf(n + i, 'import', 0));
    await storage.pages.commit({ puts });
  }
  await storage.whenDrained();
  return {};
}

function putOf(n: number, origin: 'import' | 'agent', base: number) {
  const committedAt = systemClock().toISOString();
  return { ...samplePage(n), base, author: null, origin, message: null, committedAt } as const;
}

/** Milliseconds from the end of a save to the moment a search finds it, one after the other. */
async function save(storage: Storage, folder: string, saves: number): Promise<FilesFigures> {
  const took: number[] = [];
  const scope = { all: true, allowed: [], owned: [], ownerKeys: [] };
  const filter = { scope, pageType: null, skill: null, pageId: null, asOf: null, scenario: null, clauses: [] };
  for (let n = 0; n < saves; n++) {
    const { pageId, content } = samplePage(n);
    // No two alike, or a search would take one for a typing error of the other.
    const word = `w${sha256(`save ${n}`).slice(0, 20)}`;
    writeFileSync(join(folder, pageId), `${content}\n${word}\n`);
    const began = performance.now();
    const found = async () => (await storage.lexical.search([{ words: [word] }], filter, 5)).length > 0;
    while (!(await found())) await sleep(10);
    took.push(performance.now() - began);
  }
  return { took };
}

/** So many files change at once; how long until each is a version, and the CPU for it. */
async function checkout(storage: Storage, folder: string, files: number): Promise<FilesFigures> {
  const taken = new Promise<void>(resolve => {
    let count = 0;
    storage.onCommitted(({ origin }) => {
      if (origin === 'external' && ++count === files) resolve();
    });
  });
  const cpu = cpuSeconds();
  for (let n = 0; n < files; n++) {
    const { pageId, content } = samplePage(n);
    writeFileSync(join(folder, pageId), `${content}\nOn another branch.\n`);
  }
  const began = performance.now();
  // Nothing of a watch keeps a process alive.
  const alive = setInterval(() => {}, 1000);
  await taken;
  clearInterval(alive);
  return { took: [performance.now() - began], cpu: [cpuSeconds() - cpu] };
}

/** CPU milliseconds a commit by 32 writers, until every file is published and its echo has been heard. */
async function write(storage: Storage, commits: number): Promise<FilesFigures> {
  const [began, cpu] = [performance.now(), cpuSeconds()];
  let next = 0;
  const writer = async (): Promise<void> => {
    for (let n = next++; n < commits; n = next++) {
      await storage.pages.commit({ puts: [putOf(50_000_000 + began + n, 'agent', 0)] });
    }
  };
  await Promise.all(Array.from({ length: 32 }, writer));
  const seconds = (performance.now() - began) / 1000;
  await storage.whenDrained();
  await sleep(1500);
  return { rate: [commits / seconds], cpu: [((cpuSeconds() - cpu) / commits) * 1000] };
}

async function recursive(folder: string): Promise<FilesFigures> {
  const [began, cpu] = [performance.now(), cpuSeconds()];
  const heard = new AbortController();
  const watcher = watch(join(folder, 'markdown'), { recursive: true }, () => heard.abort());
  const probe = join(folder, samplePage(0).pageId);
  while (!heard.signal.aborted) {
    writeFileSync(probe, samplePage(0).content);
    await sleep(5);
  }
  const figures = { looked: [performance.now() - began], cpu: [cpuSeconds() - cpu], memory: [rss()] };
  watcher.close();
  return figures;
}
