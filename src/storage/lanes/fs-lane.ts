import { constants, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { lstat, open, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { folderIsReal, foldersAbove, isAbsence, isLanePath, makeFolder } from './contained.ts';
import { problemOf } from './file-errors.ts';
import { factsOf, type FileStats } from './file-facts.ts';
import { inParallel } from './in-parallel.ts';
import { listFiles } from './list-files.ts';
import { sameFacts } from '../../pages/lanes/index.ts';
import type { FileFacts, FileLane, FileProblem, FileWrite, FileWritten } from '../../pages/lanes/ports.ts';
import type { TempFiles, TempOutcome } from './temp-files.ts';

/** The pool has four threads by default and the store's own fsync must always find one free. */
const SYNCS_AT_ONCE = 2;
/** So many files find their place before others have their turn on the event loop. */
const AT_A_TIME = 32;

export interface FsLaneOptions {
  /** The data folder, links resolved. */
  readonly root: string;
  /** First segments of the lane's paths. */
  readonly folders: readonly string[];
  readonly temp: TempFiles;
  /** Called after each rename. */
  readonly onRename: () => void;
  /** Hears of each folder that is about to be listed. */
  readonly onFolder: (folder: string) => void;
  /** Hears of each folder above a file that had no folder. */
  readonly onNewFolder: (folder: string) => void;
}

const NO_PATH = { problem: { kind: 'unsuitable', message: 'no path of this lane' } } as const;

type Put = Extract<TempOutcome, { readonly path: string }>;
type Outcome = { readonly facts: FileFacts } | { readonly changed: true } | { readonly problem: FileProblem };

/** Files below folders of the data folder. New files belong to the owner alone. */
export function fsLane({ root, folders, temp, onRename, onFolder, onNewFolder }: FsLaneOptions): FileLane {
  const reachable = async (path: string): Promise<boolean> => isLanePath(path, folders) && folderIsReal(root, path);

  async function prepare(batch: readonly FileWrite[]): Promise<readonly TempOutcome[]> {
    const allowed = batch.map(({ path }) => isLanePath(path, folders));
    const items = batch.filter((_, at) => allowed[at]);
    const put = await temp.put(items.map(({ path, data }) => ({ folder: path.slice(0, path.indexOf('/')), data })));
    let next = 0;
    return allowed.map(fits => (fits ? put[next++]! : NO_PATH));
  }

  /** Adds to `grown` the folders whose entries must be made durable. */
  async function place(item: FileWrite, from: Put, real: Set<string>, grown: Set<string>): Promise<Outcome> {
    const folder = item.path.slice(0, item.path.lastIndexOf('/'));
    // A path of the lane needs no tidying.
    const target = `${root}/${item.path}`;
    let facts: FileFacts;
    try {
      if (!real.has(folder)) {
        if (!(await folderIsReal(root, item.path))) {
          for (const parent of await makeFolder(root, item.path)) grown.add(parent);
          for (const above of foldersAbove(item.path)) onNewFolder(above);
        }
        real.add(folder);
      }
      // Looked at and renamed in one go, so that an edit from outside has next to no time to slip in between.
      if (item.over !== undefined && !isThisFile(target, item.over)) {
        unlinkSync(from.path);
        return { changed: true };
      }
      facts = renamed(from, target);
    } catch (error) {
      await absentAsUndefined(unlink(from.path));
      return { problem: await placeProblem(item.path, error) };
    }
    grown.add(`${root}/${folder}`);
    onRename();
    return { facts };
  }

  /** What is wrong with a folder of the lane itself can be mended, whatever the system calls it. */
  async function placeProblem(path: string, error: unknown): Promise<FileProblem> {
    const problem = problemOf(error);
    const top = await absentAsUndefined(lstat(join(root, path.slice(0, path.indexOf('/')))));
    return top === undefined || top.isDirectory() ? problem : { ...problem, kind: 'failed' };
  }

  return {
    async read(path) {
      if (!(await reachable(path))) return undefined;
      return readRegular(join(root, path));
    },
    async stat(path) {
      if (!(await reachable(path))) return undefined;
      const found = await absentAsUndefined(lstat(join(root, path), { bigint: true }));
      return found?.isFile() ? factsOf(found) : undefined;
    },
    async write(batch) {
      const prepared = await prepare(batch);
      const real = new Set<string>();
      const grown = new Set<string>();
      const written: FileWritten[] = [];
      for (const [at, item] of batch.entries()) {
        if (at % AT_A_TIME === AT_A_TIME - 1) await turn();
        const from = prepared[at]!;
        const outcome = 'problem' in from ? from : await place(item, from, real, grown);
        written.push({ path: item.path, ...outcome });
      }
      await inParallel(SYNCS_AT_ONCE, [...grown], syncFolder);
      return written;
    },
    async remove(path) {
      if (!(await reachable(path))) return false;
      const found = await absentAsUndefined(lstat(join(root, path)));
      if (!found?.isFile()) return false;
      await unlink(join(root, path));
      await syncFolder(join(root, dirname(path)));
      return true;
    },
    list: folder => listFiles(root, folders.includes(folder) ? [folder] : [], onFolder),
    async identity(folder) {
      if (!folders.includes(folder)) return null;
      // Asked with every batch: what the system knows of a folder in use is in memory.
      const found = lstatSync(join(root, folder), { throwIfNoEntry: false });
      return found?.isDirectory() === true ? `${found.dev}:${found.ino}` : null;
    },
  };
}

/**
 * Renames a file and answers how it is then: its change time is that of the rename. When somebody wrote to it before we looked,
 * it is as it was made, which no file is that has its name, so that the next look finds that edit.
 */
function renamed({ path, made }: Put, to: string): FileFacts {
  renameSync(path, to);
  const now = lstatSync(to, { throwIfNoEntry: false, bigint: true });
  return factsOf(now && isUntouched(made, now) ? now : made);
}

const isUntouched = (a: FileStats, b: FileStats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;

function isThisFile(path: string, expected: FileFacts | null): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (!found || !expected) return !found && !expected;
  return found.isFile() && sameFacts(factsOf(found), expected);
}

/** Opening a pipe would wait for a writer and a link would lead elsewhere; only regular files are read. */
async function readRegular(path: string): Promise<Uint8Array | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await absentAsUndefined(open(path, flags));
  if (!file) return undefined;
  try {
    return (await file.stat()).isFile() ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function absentAsUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
