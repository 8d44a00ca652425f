import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from './file-errors.ts';

/** True for a path of the lane by its letters alone: relative, below one of `folders`, without tricks (X01). */
export function isLanePath(path: string, folders: readonly string[]): boolean {
  const segments = path.split('/');
  return (
    segments.length > 1 &&
    folders.includes(segments[0]!) &&
    segments.every(segment => segment !== '' && segment !== '.' && segment !== '..') &&
    !/[\\\0]/.test(path)
  );
}

/** Whether the folder of `path` is really below `root`: there, and reached through no link. */
export async function folderIsReal(root: string, path: string): Promise<boolean> {
  const folder = join(root, dirname(path));
  try {
    return (await realpath(folder)) === folder;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** Makes the folder of `path`, private to the owner. Answers the folders that got a new entry; throws ELOOP or ENOTDIR when something else is in the way. */
export async function makeFolder(root: string, path: string): Promise<string[]> {
  const grown: string[] = [];
  let folder = root;
  for (const segment of dirname(path).split('/')) {
    const parent = folder;
    folder = join(folder, segment);
    const present = await lstat(folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (present?.isSymbolicLink()) throw Object.assign(new Error(`${folder} is a link`), { code: 'ELOOP' });
    if (present && !present.isDirectory())
      throw Object.assign(new Error(`${folder} is no folder`), { code: 'ENOTDIR' });
    if (present) continue;
    await mkdir(folder, 0o700).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    await chmod(folder, 0o700);
    grown.push(parent);
  }
  return grown;
}

/** `a/b/c` lies in `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'));
}

/** Errors that say: no such file. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EISDIR'].includes(errorCode(error));
}
