import { sha256 } from '../../../kernel/hash.ts';
import type { PageProjection, PagePut, Project } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { Derived } from '../index/rows.ts';

/** A put with all that follows from its bytes. */
export interface Prepared {
  readonly put: PagePut;
  readonly content: string;
  readonly sha256: string;
  readonly archived: boolean;
  readonly projection: PageProjection;
}

export function prepare(project: Project, put: PagePut): Prepared {
  // Halves of surrogate pairs have no UTF-8 form: replaced here, so that store, file and hash hold the same bytes.
  const content = put.content.toWellFormed();
  const projection = project(put.pageId, content);
  // E145, E146: the flag in the text archives a page that comes from outside; a caller's write is live unless it says so.
  const archived = put.archive === true || (put.origin !== 'agent' && projection.facts.archived);
  return { put, content, sha256: sha256(content), archived, projection };
}

/** The place of the next commit in the order of all commits. */
export function nextSeq(db: Db): () => number {
  const last = db.prepare<[], { seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM outbox');
  return () => last.get()!.seq + 1;
}

/** Stores one version as the head of its page, with its outbox row. Runs inside the caller's transaction. */
export function versionWriter(db: Db): (prepared: Prepared) => Derived {
  const next = nextSeq(db);
  const insert = db.prepare(
    `INSERT INTO page_version (seq, page_id, version, sha256, author, origin, message, committed_at, archived, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setHead = db.prepare<[string, number, number, string, number]>(
    `INSERT INTO page_head (page_id, version, seq, sha256, archived) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (page_id) DO UPDATE SET
       version = excluded.version, seq = excluded.seq, sha256 = excluded.sha256, archived = excluded.archived`,
  );
  const oldest = db.prepare<[string], { committed_at: string }>(
    'SELECT committed_at FROM page_version WHERE page_id = ? ORDER BY version LIMIT 1',
  );
  const announce = db.prepare<[number, string, number]>('INSERT INTO outbox (seq, page_id, version) VALUES (?, ?, ?)');
  return ({ put, content, sha256: hash, archived, projection }) => {
    const seq = next();
    const version = put.base + 1;
    const flag = archived ? 1 : 0;
    const { pageId, author, origin, message, committedAt } = put;
    insert.run(seq, pageId, version, hash, author, origin, message, committedAt, flag, content);
    setHead.run(pageId, version, seq, hash, flag);
    announce.run(seq, pageId, version);
    const firstAt = version === 1 ? committedAt : oldest.get(pageId)!.committed_at;
    return { seq, pageId, version, sha256: hash, author, origin, committedAt, firstAt, archived, projection };
  };
}
