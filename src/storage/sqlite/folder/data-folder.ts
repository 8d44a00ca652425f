import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { lockFolder } from './lock.ts';
import { syncFolderNow } from './private-file.ts';
import { StorageRefusal } from './refusal.ts';

export interface DataFolder {
  /** Links resolved. */
  readonly path: string;
  file(name: string): string;
  /** Gives the folder to the next process. */
  release(): void;
}

/**
 * Takes a data folder for this process, 0700, made if absent. Throws StorageRefusal: `data-folder-locked` with the pid of
 * the process that has it, `data-folder-unusable` when it cannot be made, closed to others or locked.
 */
export function openDataFolder(path: string, { clock }: { clock: Clock }): DataFolder {
  const folder = makeOwn(path);
  const lock = lockFolder(folder, clock);
  return { path: folder, file: name => join(folder, name), release: lock.release };
}

function makeOwn(path: string): string {
  try {
    const made = mkdirSync(path, { recursive: true, mode: 0o700 });
    const folder = realpathSync(path);
    if (!lstatSync(folder).isDirectory()) throw new Error('not a folder');
    chmodSync(folder, 0o700);
    if (made !== undefined) syncFolderNow(dirname(folder));
    return folder;
  } catch (error) {
    throw new StorageRefusal(
      'data-folder-unusable',
      `${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
