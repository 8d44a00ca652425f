import { basename } from 'node:path';

/** Pages whose file is gone, to be found again by the hash of what the file held. */
export interface GoneFiles {
  /** Whether some file of this many bytes is gone. */
  hasSize(bytes: number): boolean;
  /** Takes the page whose file these bytes were: one of the same file name before others, then by id. */
  take(sha256: string, path: string): string | undefined;
}

export interface GoneFile {
  readonly pageId: string;
  readonly sha256: string;
  readonly size: number;
}

/** Copies of one text are many files of one hash: their names tell which is which. */
export function goneFiles(gone: readonly GoneFile[]): GoneFiles {
  const sizes = new Set(gone.map(({ size }) => size));
  const byHash = new Map<string, string[]>();
  for (const { pageId, sha256 } of gone.toSorted((a, b) => (a.pageId < b.pageId ? -1 : 1))) {
    const pages = byHash.get(sha256) ?? [];
    pages.push(pageId);
    byHash.set(sha256, pages);
  }
  return {
    hasSize: bytes => sizes.has(bytes),
    take(sha256, path) {
      const pages = byHash.get(sha256) ?? [];
      const named = pages.findIndex(pageId => basename(pageId) === basename(path));
      return pages.splice(Math.max(named, 0), 1)[0];
    },
  };
}
