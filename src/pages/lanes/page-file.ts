/** Folders that hold pages. Ids below `markdown/` keep their place; all others live apart, so that no id names a file of the store. */
export const PAGE_FOLDERS = ['markdown', 'other'] as const;

/** Where the file of a page is, as a path of the page lane (architecture 3). */
export function fileOfPage(pageId: string): string {
  return pageId.startsWith('markdown/') ? pageId : `other/${pageId}`;
}

/** The page id that a file of the page lane stands for, null for one that none stands for. */
export function pageOfFile(path: string): string | null {
  if (path.startsWith('markdown/')) return path;
  const pageId = path.slice('other/'.length);
  return path.startsWith('other/') && !pageId.startsWith('markdown/') ? pageId : null;
}
