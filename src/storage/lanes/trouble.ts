import { accessSync, constants, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './file-errors.ts';

/** Why one of these folders below `root` cannot be written in; null when all can. One that is not there is made at need. */
export function troubleIn(root: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    const path = join(root, folder);
    try {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (!found) continue;
      if (!found.isDirectory()) return `${folder} is no folder`;
      accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      return `${folder} cannot be used: ${errorCode(error)}`;
    }
  }
  return null;
}
