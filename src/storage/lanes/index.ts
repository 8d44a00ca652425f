import { realpathSync } from 'node:fs';
import { fsLane } from './fs-lane.ts';
import { PAGE_FOLDERS } from './page-file.ts';
import type { FileLane } from './ports.ts';
import { tempFiles } from './temp-files.ts';

export { fileOfPage, PAGE_FOLDERS, pageOfFile } from './page-file.ts';

const BLOB_FOLDERS = ['blobs'];

export interface Lanes {
  /** Published pages, by the paths of `fileOfPage`. */
  readonly pages: FileLane;
  /** Uploads, as `blobs/<sha256>`. */
  readonly blobs: FileLane;
  /** Removes temporary files that a killed process left over. */
  sweep(): Promise<void>;
}

/** `publish.write` after a temporary file took its bytes, `publish.fsync` after they are durable, `publish.rename` after it has its name. */
export type LaneStep = 'publish.write' | 'publish.fsync' | 'publish.rename';

/** Lanes as files below the data folder. */
export function fileLanes(dataDir: string, step: (step: LaneStep) => void): Lanes {
  const root = realpathSync(dataDir);
  const temp = tempFiles(root, { written: () => step('publish.write'), synced: () => step('publish.fsync') });
  const renamed = (): void => step('publish.rename');
  return {
    pages: fsLane({ root, folders: PAGE_FOLDERS, temp, renamed }),
    blobs: fsLane({ root, folders: BLOB_FOLDERS, temp, renamed }),
    sweep: () => temp.sweep([...PAGE_FOLDERS, ...BLOB_FOLDERS]),
  };
}
