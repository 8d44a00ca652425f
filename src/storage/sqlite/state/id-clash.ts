import type { Db } from '../database.ts';

export interface IdClash {
  /** Whether some page is a folder of this id, or lies below it as below a folder: files could not hold both. */
  blocks(pageId: string): boolean;
}

export function idClash(db: Db): IdClash {
  const at = db.prepare<[string], { page_id: string }>('SELECT page_id FROM page_head WHERE page_id = ?');
  // '0' is the character behind '/'.
  const below = db.prepare<[string, string], { page_id: string }>(
    'SELECT page_id FROM page_head WHERE page_id > ? AND page_id < ? LIMIT 1',
  );
  return {
    blocks: pageId =>
      foldersOf(pageId).some(folder => at.get(folder) !== undefined) ||
      below.get(`${pageId}/`, `${pageId}0`) !== undefined,
  };
}

/** `a/b/c` lies in `a` and `a/b`. */
export function foldersOf(pageId: string): string[] {
  const folders: string[] = [];
  for (let at = pageId.indexOf('/'); at !== -1; at = pageId.indexOf('/', at + 1)) folders.push(pageId.slice(0, at));
  return folders;
}
