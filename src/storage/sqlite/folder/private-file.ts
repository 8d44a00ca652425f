import { chmodSync, closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes sure the file exists and belongs to the owner alone, whatever the umask. Its contents stay. */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  makePrivateIfThere(path);
}

/** By name, not by handle: closing a handle of a database would drop SQLite's locks on it. */
export function makePrivateIfThere(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Makes new and renamed entries of a folder durable. */
export function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
