import { lstatSync, readFileSync, watch, type BigIntStats, type FSWatcher } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { FileListener, Touched } from '../../pages/lanes/ports.ts';
import { isAbsence } from './contained.ts';
import { errorCode } from './file-errors.ts';
import { factsOf } from './file-facts.ts';
import { closeToOthers, listFiles } from './list-files.ts';

/** Events of one save come together; looking at a file once for all of them is enough. */
const GATHER_MS = 100;
/** How often the folders of the lane are compared with those that are watched: nobody tells of a mount. */
const ROOTS_MS = 1000;
/** Paths that are looked at between two turns of the event loop. */
const LOOKS_AT_ONCE = 200;
/** Events that the system keeps for a process, where it does not say. */
const USUAL_QUEUE = 16_384;

export interface FolderWatch {
  /** Watches what happens in this folder, not below it, from now on. */
  arm(folder: string): void;
  /**
   * The same for a folder that is there now, and was not known: somebody else may have made it, and laid files there, before
   * anything was heard of it, so they are looked for.
   */
  discovered(folder: string): void;
  stop(): void;
}

interface Armed {
  readonly watcher: FSWatcher;
  readonly id: string;
}

/**
 * Watches folders, never files: one watch a folder is what the system allows many of. Paths are relative to `root`; `roots`
 * are the folders of the lane. Nothing here keeps the process alive.
 */
export function watchFolders(root: string, roots: readonly string[], listener: FileListener): FolderWatch {
  const armed = new Map<string, Armed>();
  const full = Math.ceil(queueLength() / 2);
  /** Paths to look at; true: the folder itself was said to be gone or moved. */
  let names = new Map<string, boolean>();
  /** Folders that are watched and have not been looked into. */
  const unseen = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let stopped = false;
  let burst = 0;
  const rootIds = new Map(roots.map(folder => [folder, identityOf(stat(folder))]));
  const heartbeat = setInterval(checkRoots, ROOTS_MS).unref();

  function arm(folder: string): void {
    if (stopped) return;
    const id = identityOf(stat(folder));
    const known = armed.get(folder);
    if (rootIds.has(folder)) rootIds.set(folder, id);
    if (id === null || known?.id === id) return;
    if (known) disarm(folder);
    try {
      const watcher = watch(join(root, folder), { persistent: false }, (_event, name) => heard(folder, name));
      watcher.on('error', () => {
        disarm(folder);
        listener.lost();
      });
      armed.set(folder, { watcher, id });
    } catch (error) {
      if (!isAbsence(error)) listener.blind(`${folder}: ${errorCode(error)}`);
    }
  }

  function discovered(folder: string): void {
    if (stopped || armed.get(folder)?.id === identityOf(stat(folder))) return;
    arm(folder);
    unseen.add(folder);
    lookAt(folder, false);
  }

  function lookAt(path: string, ended: boolean): void {
    names.set(path, ended || (names.get(path) ?? false));
    timer ??= setTimeout(look, GATHER_MS).unref();
  }

  /** Forgets a folder and what was below it; false when it was not watched. */
  function disarm(folder: string): boolean {
    const known = armed.has(folder);
    for (const [other, { watcher }] of armed) {
      if (other !== folder && !other.startsWith(`${folder}/`)) continue;
      watcher.close();
      armed.delete(other);
    }
    return known;
  }

  function heard(folder: string, name: string | null): void {
    countBurst();
    if (name === null) return listener.lost();
    if (name.startsWith('.')) return;
    lookAt(`${folder}/${name}`, false);
    // The end of a folder is told under its own name.
    if (name === basename(folder)) lookAt(folder, true);
  }

  /** When so much of a queue arrives in one turn of the event loop, there may have been no room for what followed. */
  function countBurst(): void {
    if (burst === 0) setImmediate(() => (burst = 0)).unref();
    burst += 1;
    if (burst === full) listener.lost();
  }

  function look(): void {
    timer = undefined;
    if (looking || stopped) return;
    looking = true;
    void lookAll()
      .catch(() => listener.lost())
      .finally(() => {
        looking = false;
        if (names.size > 0 && !stopped) timer ??= setTimeout(look, GATHER_MS).unref();
      });
  }

  async function lookAll(): Promise<void> {
    const batch = [...names];
    names = new Map();
    for (let at = 0; at < batch.length; at += LOOKS_AT_ONCE) {
      if (stopped) return;
      const touched: Touched[] = [];
      for (const [path, ended] of batch.slice(at, at + LOOKS_AT_ONCE)) {
        const found = stat(path);
        const isUnseen = unseen.delete(path);
        if (found?.isDirectory()) {
          if (!ended && armed.get(path)?.id === identityOf(found)) {
            if (isUnseen) await enter(path);
            continue;
          }
          // Another one in its place has not what was in the first.
          if (disarm(path)) leave(path);
          if (!roots.includes(path)) await enter(path);
        } else if (disarm(path)) leave(path);
        else if (!ended) touched.push({ path, facts: closedFacts(path, found) });
      }
      if (touched.length > 0) listener.touched(touched);
      await turn();
    }
  }

  /** A folder that is new here, with all that came along. */
  async function enter(folder: string): Promise<void> {
    let touched: Touched[] = [];
    for await (const { path, ...facts } of listFiles(root, [folder], arm)) {
      touched.push({ path, facts });
      if (touched.length < LOOKS_AT_ONCE) continue;
      listener.touched(touched);
      touched = [];
    }
    listener.touched(touched);
  }

  function leave(folder: string): void {
    if (roots.includes(folder)) listener.lost();
    else listener.folderGone(folder);
  }

  function checkRoots(): void {
    for (const folder of roots) {
      const id = identityOf(stat(folder));
      if (id === rootIds.get(folder)) continue;
      rootIds.set(folder, id);
      disarm(folder);
      listener.lost();
    }
  }

  function stat(path: string): BigIntStats | undefined {
    try {
      return lstatSync(join(root, path), { throwIfNoEntry: false, bigint: true });
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  }

  /** Files that others could read are closed to them, as in a listing. */
  function closedFacts(path: string, found: BigIntStats | undefined): Touched['facts'] {
    if (!found?.isFile()) return null;
    const now = closeToOthers(join(root, path), Number(found.mode)) ? stat(path) : found;
    return now?.isFile() === true ? factsOf(now) : null;
  }

  return {
    arm,
    discovered,
    stop() {
      stopped = true;
      clearInterval(heartbeat);
      clearTimeout(timer);
      for (const { watcher } of armed.values()) watcher.close();
      armed.clear();
    },
  };
}

const identityOf = (found: BigIntStats | undefined): string | null =>
  found?.isDirectory() === true ? `${found.dev}:${found.ino}` : null;

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || USUAL_QUEUE;
  } catch {
    return USUAL_QUEUE;
  }
}
