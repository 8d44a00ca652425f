import { realpathSync } from 'node:fs';
import { PAGE_FOLDERS } from '../../pages/lanes/index.ts';
import type { OpenLanes } from '../../pages/lanes/ports.ts';
import { fsLane } from './fs-lane.ts';
import { tempFiles } from './temp-files.ts';

const BLOB_FOLDERS = ['blobs'];

/** Lanes as files below the data folder. */
export const fileLanes: OpenLanes = (dataDir, step) => {
  const root = realpathSync(dataDir);
  const temp = tempFiles(root, { written: () => step('publish.write'), synced: () => step('publish.fsync') });
  const renamed = (): void => step('publish.rename');
  return {
    pages: fsLane({ root, folders: PAGE_FOLDERS, temp, renamed }),
    blobs: fsLane({ root, folders: BLOB_FOLDERS, temp, renamed }),
    sweep: () => temp.sweep([...PAGE_FOLDERS, ...BLOB_FOLDERS]),
  };
};
