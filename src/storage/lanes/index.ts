import { realpathSync } from 'node:fs';
import { PAGE_FOLDERS } from '../../pages/lanes/index.ts';
import type { OpenLanes } from '../../pages/lanes/ports.ts';
import { fsLane } from './fs-lane.ts';
import { tempFiles } from './temp-files.ts';
import { troubleIn } from './trouble.ts';
import { watchFolders, type FolderWatch } from './watch-folders.ts';

const BLOB_FOLDERS = ['blobs'];

/** Lanes as files below the data folder. */
export const fileLanes: OpenLanes = (dataDir, step) => {
  const root = realpathSync(dataDir);
  const temp = tempFiles(root, { written: () => step('publish.write'), synced: () => step('publish.fsync') });
  const onRename = (): void => step('publish.rename');
  let watching: FolderWatch | undefined;
  return {
    pages: fsLane({
      root,
      folders: PAGE_FOLDERS,
      temp,
      onRename,
      onFolder: folder => watching?.arm(folder),
      onNewFolder: folder => watching?.discovered(folder),
    }),
    blobs: fsLane({
      root,
      folders: BLOB_FOLDERS,
      temp,
      onRename,
      onFolder: () => undefined,
      onNewFolder: () => undefined,
    }),
    sweep: () => temp.sweep([...PAGE_FOLDERS, ...BLOB_FOLDERS]),
    trouble: async () => troubleIn(root, ['.', 'tmp', ...PAGE_FOLDERS, ...BLOB_FOLDERS]),
    watch(listener) {
      watching = watchFolders(root, PAGE_FOLDERS, listener);
      return { stop: watching.stop };
    },
  };
};
