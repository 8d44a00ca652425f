import type { Db } from '../database.ts';
import type { GroupCommit } from '../state/group-commit.ts';

/** The file under an id that a page left. */
export interface FileRemoval {
  readonly seq: number;
  /** Where the versions are now; null when they are gone for good. */
  readonly movedTo: string | null;
}

export interface FileRemovals {
  /** Whether anything is to be done about some file. */
  any(): boolean;
  /** What is still to be done about the file of this id. */
  due(pageId: string): FileRemoval | undefined;
  /** Whether a version of the page has these bytes. */
  wrote(pageId: string, sha256: string): boolean;
  /** Everything up to `seq` is done about it. Needs no sync: doing it again does no harm. */
  done(pageId: string, seq: number): Promise<void>;
}

/** What removing files reads and writes in state.sqlite. */
export function fileRemovals(db: Db, group: GroupCommit): FileRemovals {
  // Of several removals a purge decides, for it leaves nothing.
  const due = db.prepare<[string], { seq: number | null; purged: number; moved_to: string | null }>(
    `SELECT max(seq) AS seq, coalesce(max(moved_to IS NULL), 0) AS purged, moved_to FROM page_removal
     WHERE page_id = ? AND file_left = 1`,
  );
  const any = db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM page_removal WHERE file_left = 1)').pluck();
  const wrote = db.prepare<[string, string], { version: number }>(
    'SELECT version FROM page_version WHERE page_id = ? AND sha256 = ? LIMIT 1',
  );
  const settle = db.prepare<[string, number]>(
    'UPDATE page_removal SET file_left = 0 WHERE page_id = ? AND seq <= ? AND file_left = 1',
  );
  const forget = db.prepare<[string]>('DELETE FROM published WHERE page_id = ?');
  const done = db.transaction((pageId: string, seq: number) => {
    settle.run(pageId, seq);
    forget.run(pageId);
  });
  return {
    any: () => any.get() === 1,
    due(pageId) {
      const { seq, purged, moved_to } = due.get(pageId)!;
      return seq === null ? undefined : { seq, movedTo: purged === 1 ? null : moved_to };
    },
    wrote: (pageId, sha256) => wrote.get(pageId, sha256) !== undefined,
    done: (pageId, seq) => group.between(() => done(pageId, seq)),
  };
}
