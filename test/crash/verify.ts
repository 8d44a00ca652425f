import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOfPage } from '../../src/pages/lanes/index.ts';
import type { Storage } from '../../src/storage/sqlite/index.ts';
import { openWorld } from '../storage/world.ts';
import { PAGES, textOf, wordOf } from './pages.ts';

export interface Look {
  readonly faults: readonly string[];
  readonly heads: ReadonlyMap<string, number>;
}

/** The newest acknowledged version of each page, from lines `page version`. */
export function acknowledged(text: string): Map<string, number> {
  const newest = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, pageId, version] = /^(.+) (\d+)$/.exec(line) ?? [];
    if (pageId) newest.set(pageId, Math.max(newest.get(pageId) ?? 0, Number(version)));
  }
  return newest;
}

/**
 * Opens a folder as a crash left it and says everything that is wrong with it: torn files, missing acknowledged versions,
 * store, index and file that differ, versions that nobody wrote. `inFlight`: how many commits nobody was told of. `heads` is
 * what is there now.
 */
export async function lookAfterCrash(
  dataDir: string,
  acks: ReadonlyMap<string, number>,
  inFlight: number,
  expectedLog = /^$/,
): Promise<Look> {
  const faults = tornFiles(dataDir);
  const heads = new Map<string, number>();
  const world = await openWorld({}, dataDir);
  try {
    for (const pageId of PAGES) {
      faults.push(...(await faultsOfPage(world.storage, pageId, acks.get(pageId) ?? 0, inFlight)));
      const head = await world.storage.pages.head(pageId);
      if (head) heads.set(pageId, head.version);
    }
    await world.storage.whenDrained();
    const again = await world.storage.reconcile();
    for (const kind of ['edited', 'created', 'moved', 'archived', 'restored', 'skipped'] as const) {
      if (again[kind] > 0) faults.push(`reconcile: ${again[kind]} ${kind}`);
    }
    for (const pageId of PAGES) faults.push(...(await faultsOfFile(world.storage, dataDir, pageId)));
    for (const line of world.log)
      if (line.level >= 40 && !expectedLog.test(line.msg)) faults.push(`log: ${line.msg} ${JSON.stringify(line)}`);
  } finally {
    await world.storage.close();
  }
  const left = existsSync(join(dataDir, 'tmp')) ? readdirSync(join(dataDir, 'tmp')) : [];
  return { heads, faults: [...faults, ...left.map(name => `left over: tmp/${name}`)] };
}

/** Before anything mends it: every file is some whole version of its page. */
function tornFiles(dataDir: string): string[] {
  return PAGES.flatMap(pageId => {
    const path = join(dataDir, fileOfPage(pageId));
    if (!existsSync(path)) return [];
    const text = readFileSync(path, 'utf8');
    const version = Number(/of version (\d+)/.exec(text)?.[1] ?? 0);
    return version > 0 && text === textOf(pageId, version)
      ? []
      : [`torn file of ${pageId}: ${JSON.stringify(text.slice(0, 200))}`];
  });
}

async function faultsOfPage(storage: Storage, pageId: string, acked: number, inFlight: number): Promise<string[]> {
  const head = await storage.pages.head(pageId);
  const row = await storage.index.page(pageId);
  const version = head?.version ?? 0;
  const faults: string[] = [];
  if (version < acked) faults.push(`${pageId}: acknowledged version ${acked} is lost, head is ${version}`);
  if (version > acked + inFlight) faults.push(`${pageId}: head ${version} is more than ${inFlight} after ${acked}`);
  if ((row?.version ?? 0) !== version || row?.sha256 !== head?.sha256) {
    faults.push(`${pageId}: index has ${row?.version}, store has ${version}`);
  }
  for (let number = 1; number <= version; number++) {
    const stored = await storage.pages.version(pageId, number);
    if (stored?.content !== textOf(pageId, number)) faults.push(`${pageId}: version ${number} is not what was written`);
    if (stored?.origin !== 'agent') faults.push(`${pageId}: version ${number} came from ${stored?.origin}`);
  }
  for (let number = Math.max(1, version - 1); number <= version + 1; number++) {
    const found = (await hits(storage, wordOf(pageId, number))).includes(pageId);
    if (found !== (number === version))
      faults.push(`${pageId}: search ${found ? 'finds' : 'misses'} version ${number} of ${version}`);
  }
  return faults;
}

async function faultsOfFile(storage: Storage, dataDir: string, pageId: string): Promise<string[]> {
  const head = await storage.pages.head(pageId);
  const path = join(dataDir, fileOfPage(pageId));
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  return text === head?.content ? [] : [`${pageId}: file is not version ${head?.version}`];
}

async function hits(storage: Storage, word: string): Promise<string[]> {
  const scope = { all: true, allowed: [], owned: [], ownerKeys: [] };
  const filter = { scope, pageType: null, skill: null, pageId: null, asOf: null, scenario: null, clauses: [] };
  return (await storage.lexical.search([{ words: [word] }], filter, 100)).map(hit => hit.pageId);
}
