import { PAGE_FOLDERS } from '../../../pages/lanes/index.ts';
import type { FileLane } from '../../../pages/lanes/ports.ts';
import type { PublishRecords } from './records.ts';

/** A folder of pages is not there. */
export class FoldersMissing extends Error {}

export interface PageFolders {
  /** Throws FoldersMissing when a folder that held pages is gone, or an empty one stands in its place: nothing may be written there. */
  check(): Promise<void>;
  /** Whether some folder is like that. */
  broken(): Promise<boolean>;
  /** Folders that were not there so far are in order as they are now. */
  learn(): Promise<void>;
  /** What is there now is what is meant to be there. */
  accept(): Promise<void>;
}

/** Keeps apart a folder whose pages were deleted from a mount that is not there. */
export function pageFolders(lane: FileLane, records: PublishRecords): PageFolders {
  /** The folders as they were last found in order. */
  const known = new Map<string, string>();

  function remember(folder: string, id: string | null): void {
    if (id === null) known.delete(folder);
    else known.set(folder, id);
  }

  async function isBroken(folder: (typeof PAGE_FOLDERS)[number]): Promise<boolean> {
    const id = await lane.identity(folder);
    if (id !== null && known.get(folder) === id) return false;
    const replaced = known.has(folder) && (await isEmpty(folder));
    const broken = (id === null || replaced) && records.lives(folder);
    if (!broken) remember(folder, id);
    return broken;
  }

  async function isEmpty(folder: string): Promise<boolean> {
    for await (const _ of lane.list(folder)) return false;
    return true;
  }

  async function brokenOnes(): Promise<readonly string[]> {
    const folders: string[] = [];
    for (const folder of PAGE_FOLDERS) if (await isBroken(folder)) folders.push(folder);
    return folders;
  }

  return {
    async check() {
      const folders = await brokenOnes();
      if (folders.length > 0) throw new FoldersMissing(`the files of pages in ${folders.join(', ')} are not there`);
    },
    broken: async () => (await brokenOnes()).length > 0,
    async learn() {
      for (const folder of PAGE_FOLDERS) if (!known.has(folder)) remember(folder, await lane.identity(folder));
    },
    async accept() {
      for (const folder of PAGE_FOLDERS) remember(folder, await lane.identity(folder));
    },
  };
}
