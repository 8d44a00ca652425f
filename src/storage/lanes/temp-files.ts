import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { chmod, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FileFacts } from './ports.ts';

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
  const ready = new Map<string, Promise<void>>();
  let made = 0;

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

  function open(place: string): Promise<void> {
    const known = ready.get(place) ?? sweep(place);
    ready.set(place, known);
    known.catch(() => ready.delete(place));
    return known;
  }

  return {
    async sweep(folders) {
      for (const place of new Set(folders.map(placeFor))) await open(place);
    },
    async put(folder, data) {
      const place = placeFor(folder);
      await open(place);
      const path = join(place, `${token}-${made++}`);
      const fd = openSync(path, 'wx', 0o600);
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
