import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  open,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { chmod, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FileProblem } from '../../pages/lanes/ports.ts';
import { problemOf } from './file-errors.ts';
import type { FileStats } from './file-facts.ts';
import { inParallel } from './in-parallel.ts';
import { writeThread, type NewFile } from './write-thread.ts';

export interface TempFiles {
  /** Removes what earlier processes left over. */
  sweep(folders: readonly string[]): Promise<void>;
  /** Puts each `data` durably into a new file beside `folder`, to be renamed into it. Answers in their order. */
  put(items: readonly TempItem[]): Promise<readonly TempOutcome[]>;
}

export interface TempItem {
  readonly folder: string;
  readonly data: string | Uint8Array;
}

/** `made`: how the file was when it was durable. */
export type TempOutcome = { readonly path: string; readonly made: FileStats } | { readonly problem: FileProblem };

export interface TempSteps {
  written(): void;
  synced(): void;
}

const openNew = promisify(open);
const syncData = promisify(fdatasync);
const writeAll = promisify(writeFile);

/** So many files are worth a thread of their own; fewer go through the thread pool. */
const MANY = 8;
/** Syncs of a slow disk overlap. More would take the pool's threads from the store's own sync. */
const AT_ONCE = 2;
/** From here on a write goes through the thread pool; below it the page cache takes it faster than a thread would start. */
const LARGE = 64 * 1024;

/**
 * Temporary files of one process, in `tmp` below the data folder; for a folder that is a mount of its own, in a hidden
 * folder inside it, since a rename cannot cross devices. Leftovers of earlier processes are removed before the first use.
 */
export function tempFiles(root: string, steps: TempSteps): TempFiles {
  const token = randomBytes(6).toString('hex');
  const swept = new Map<string, Promise<void>>();
  const threads = Array.from({ length: AT_ONCE }, writeThread);
  let count = 0;

  /** Where the temporary files for a folder of the lane go; asked with each batch, for mounts come and go. */
  function placeFor(folder: string): string {
    const target = join(root, folder);
    const device = lstatSync(target, { throwIfNoEntry: false })?.dev;
    const apart = device !== undefined && device !== lstatSync(root).dev;
    return apart ? join(target, '.cairn-tmp') : join(root, 'tmp');
  }

  async function sweep(place: string): Promise<void> {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    await chmod(place, 0o700);
    const names = await readdir(place);
    await Promise.all(names.filter(name => !name.startsWith(token)).map(name => unlink(join(place, name))));
  }

  function sweepOnce(place: string): Promise<void> {
    const there = lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
    const known = (there ? swept.get(place) : undefined) ?? sweep(place);
    swept.set(place, known);
    known.catch(() => swept.delete(place));
    return known;
  }

  async function writeOne({ path, data }: NewFile): Promise<TempOutcome> {
    try {
      // Finding a place for a new file can wait for the disk; the calls after it stay in memory.
      const fd = await openNew(path, 'wx', 0o600);
      try {
        if (data.length > LARGE) await writeAll(fd, data);
        else writeFileSync(fd, data);
        const written = ownTime();
        futimesSync(fd, written, written);
        steps.written();
        await syncData(fd);
        steps.synced();
        const made = fstatSync(fd, { bigint: true });
        if ((made.mode & 0o777n) !== 0o600n) fchmodSync(fd, 0o600);
        return { path, made };
      } catch (error) {
        await unlink(path).catch(() => undefined);
        throw error;
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      return { problem: failed(error) };
    }
  }

  async function writeMany(files: readonly NewFile[], outcomes: TempOutcome[]): Promise<void> {
    await Promise.all(
      threads.map(async (thread, number) => {
        const mine = files.flatMap((file, at) => (at % threads.length === number ? [{ file, at }] : []));
        const results = await thread.write(mine.map(({ file }) => ({ ...file, written: ownTime() })));
        for (const [nth, result] of results.entries()) {
          const { file, at } = mine[nth]!;
          outcomes[at] = 'code' in result ? { problem: failed(result) } : { path: file.path, made: result.made };
        }
      }),
    );
    for (const outcome of outcomes) if ('path' in outcome) steps.written();
    for (const outcome of outcomes) if ('path' in outcome) steps.synced();
  }

  return {
    async sweep(folders) {
      for (const place of new Set(folders.map(placeFor))) await sweepOnce(place);
    },
    async put(items) {
      const outcomes: TempOutcome[] = [];
      const places = new Map<string, string>();
      try {
        for (const { folder } of items) if (!places.has(folder)) places.set(folder, placeFor(folder));
        for (const place of new Set(places.values())) await sweepOnce(place);
      } catch (error) {
        return items.map(() => ({ problem: failed(error) }));
      }
      const files = items.map(({ folder, data }) => ({ path: `${places.get(folder)!}/${token}-${count++}`, data }));
      if (files.length >= MANY) await writeMany(files, outcomes);
      else {
        await inParallel(AT_ONCE, files, async (file, at) => {
          outcomes[at] = await writeOne(file);
        });
      }
      return outcomes;
    },
  };
}

/**
 * Now, in seconds, with a fraction of a millisecond that nobody else's write has: file times tick every few milliseconds, and an edit
 * within the tick of ours must differ in something.
 */
const ownTime = (): number => (Date.now() - Math.random()) / 1000;

/** No page is to blame for what is wrong here, so all of it is worth another try. */
const failed = (error: unknown): FileProblem => ({ ...problemOf(error), kind: 'failed' });
