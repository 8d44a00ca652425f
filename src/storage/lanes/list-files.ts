import { chmodSync, type Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsence } from './contained.ts';
import { errorCode } from './file-errors.ts';
import { factsOf } from './file-facts.ts';
import type { FileEntry } from '../../pages/lanes/ports.ts';

/** Few, so that a commit under way does not queue behind them in the thread pool. */
const STATS_AT_ONCE = 8;

/**
 * Walks folders below `root` without following links. Files that others could read are closed to them on the way. `onFolder`
 * hears of each folder before its names are read, so that a watch set there misses nothing.
 */
export async function* listFiles(
  root: string,
  folders: readonly string[],
  onFolder: (folder: string) => void = () => undefined,
): AsyncGenerator<FileEntry> {
  const waiting: string[] = [];
  for (const folder of folders) if (await isFolder(join(root, folder))) waiting.push(folder);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    let names: string[] = [];
    onFolder(folder);
    for await (const entry of entriesOf(join(root, folder))) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) waiting.push(`${folder}/${entry.name}`);
      else if (entry.isFile()) names.push(`${folder}/${entry.name}`);
      if (names.length < STATS_AT_ONCE) continue;
      yield* regularFiles(root, names);
      names = [];
    }
    yield* regularFiles(root, names);
  }
}

/** Opening a folder would follow a link; those below it are never links. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder, { bufferSize: 256 });
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

async function* regularFiles(root: string, paths: readonly string[]): AsyncGenerator<FileEntry> {
  for (const found of await Promise.all(paths.map(path => regularFile(root, path)))) if (found) yield found;
}

async function regularFile(root: string, path: string): Promise<FileEntry | undefined> {
  try {
    const file = join(root, path);
    const found = await lstat(file, { bigint: true });
    // Closing it is a change of its own.
    return { path, ...factsOf(closeToOthers(file, Number(found.mode)) ? await lstat(file, { bigint: true }) : found) };
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Answers whether it changed anything: a file of somebody else cannot be closed by us, and is read all the same. */
export function closeToOthers(path: string, mode: number): boolean {
  if ((mode & 0o077) === 0) return false;
  try {
    chmodSync(path, mode & 0o700);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EPERM' && !isAbsence(error)) throw error;
    return false;
  }
}
