import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  lstatSync,
  mkdirSync,
  open,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { chmod, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FileFacts } from '../../pages/lanes/ports.ts';

export interface TempFiles {
  /** Removes what earlier processes left over. */
  sweep(folders: readonly string[]): Promise<void>;
  /** Puts `data` durably into a new file beside `folder`, to be renamed into it. */
  put(folder: string, data: string | Uint8Array): Promise<{ readonly path: string; readonly facts: FileFacts }>;
}

export interface TempSteps {
  written(): void;
  synced(): void;
}

const openNew = promisify(open);
const syncData = promisify(fdatasync);
const writeAll = promisify(writeFile);

/** From here on a write goes through the thread pool; below it the page cache takes it faster than a thread would start. */
const LARGE = 64 * 1024;

/**
 * Temporary files of one process, in `tmp` below the data folder; for a folder that is a mount of its own, in a hidden
 * folder inside it, since a rename cannot cross devices. Leftovers of earlier processes are removed before the first use.
 */
export function tempFiles(root: string, steps: TempSteps): TempFiles {
  const token = randomBytes(6).toString('hex');
  /** Where the temporary files for a folder of the lane go. */
  const places = new Map<string, string>();
  const swept = new Map<string, Promise<void>>();
  let made = 0;

  function placeFor(folder: string): string {
    const known = places.get(folder);
    if (known !== undefined) return known;
    const target = join(root, folder);
    const device = lstatSync(target, { throwIfNoEntry: false })?.dev;
    const apart = device !== undefined && device !== lstatSync(root).dev;
    const place = apart ? join(target, '.cairn-tmp') : join(root, 'tmp');
    places.set(folder, place);
    return place;
  }

  async function sweep(place: string): Promise<void> {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    await chmod(place, 0o700);
    const names = await readdir(place);
    await Promise.all(names.filter(name => !name.startsWith(token)).map(name => unlink(join(place, name))));
  }

  function sweepOnce(place: string): Promise<void> {
    const known = swept.get(place) ?? sweep(place);
    swept.set(place, known);
    known.catch(() => swept.delete(place));
    return known;
  }

  return {
    async sweep(folders) {
      for (const place of new Set(folders.map(placeFor))) await sweepOnce(place);
    },
    async put(folder, data) {
      const place = placeFor(folder);
      await sweepOnce(place);
      const path = join(place, `${token}-${made++}`);
      // Finding a place for a new file can wait for the disk; the calls after it stay in memory.
      const fd = await openNew(path, 'wx', 0o600);
      try {
        if (data.length > LARGE) await writeAll(fd, data);
        else writeFileSync(fd, data);
        steps.written();
        await syncData(fd);
        steps.synced();
        const { size, mtimeMs, mode } = fstatSync(fd);
        if ((mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
        return { path, facts: { size, mtimeMs } };
      } catch (error) {
        await unlink(path).catch(() => undefined);
        throw error;
      } finally {
        closeSync(fd);
      }
    },
  };
}
