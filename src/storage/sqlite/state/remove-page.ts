import { sha256 } from '../../../kernel/hash.ts';
import type { PageMove, PagePurge, Project } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { Derived } from '../index/rows.ts';
import { nextSeq, type Prepared } from './write-version.ts';

export interface PageRemover {
  /** Gives the versions of a page to the new id; `arrival` becomes the newest of them. */
  move(move: PageMove, arrival: Prepared): Derived[];
  purge(purge: PagePurge): Derived;
}

/** Takes pages from their ids. Runs inside the caller's transaction. */
export function pageRemover(db: Db, project: Project, write: (prepared: Prepared) => Derived): PageRemover {
  const next = nextSeq(db);
  const carry = db.prepare<[PageMove]>(
    'UPDATE page_version SET page_id = :to, version = version + :over WHERE page_id = :from',
  );
  const drop = db.prepare<[string]>('DELETE FROM page_version WHERE page_id = ?');
  const dropHead = db.prepare<[string]>('DELETE FROM page_head WHERE page_id = ?');
  // A file that is still under an older id belongs to the same page.
  const follow = db.prepare<[string | null, string]>(
    'UPDATE page_removal SET moved_to = ? WHERE moved_to = ? AND file_left = 1',
  );
  const insert = db.prepare<[number, string, string | null, string, string]>(
    'INSERT INTO page_removal (seq, page_id, moved_to, removed_at, mark, file_left) VALUES (?, ?, ?, ?, ?, 1)',
  );
  const announce = db.prepare<[number, string]>('INSERT INTO outbox (seq, page_id, version) VALUES (?, ?, 0)');

  function leave(pageId: string, movedTo: string | null, committedAt: string): Derived {
    const seq = next();
    const mark = sha256(`${seq}\n${pageId}\n${committedAt}`);
    dropHead.run(pageId);
    follow.run(movedTo, pageId);
    insert.run(seq, pageId, movedTo, committedAt, mark);
    announce.run(seq, pageId);
    return {
      seq,
      pageId,
      version: 0,
      sha256: mark,
      author: null,
      origin: 'system',
      committedAt,
      firstAt: committedAt,
      archived: true,
      projection: project(pageId, ''),
    };
  }

  return {
    move(move, arrival) {
      carry.run(move);
      // The new file is announced first, so that no crash leaves the page without any.
      const arrived = write(arrival);
      return [arrived, leave(move.from, move.to, move.committedAt)];
    },
    purge({ pageId, committedAt }) {
      drop.run(pageId);
      return leave(pageId, null, committedAt);
    },
  };
}
