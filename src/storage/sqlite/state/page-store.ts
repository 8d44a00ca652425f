import { sha256 } from '../../../kernel/hash.ts';
import type {
  ChangeSet,
  CommitResult,
  Origin,
  PageProjection,
  PagePut,
  PageStore,
  Project,
  StoredPage,
} from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { Derived } from '../index/rows.ts';
import type { StepHook } from '../steps.ts';
import type { GroupCommit } from './group-commit.ts';
import { foldersOf, idClash } from './id-clash.ts';

interface Row {
  page_id: string;
  version: number;
  content: string;
  sha256: string;
  author: string | null;
  origin: Origin;
  message: string | null;
  committed_at: string;
  archived: number;
}

/** A put with all that follows from its bytes. */
interface Prepared {
  readonly put: PagePut;
  readonly content: string;
  readonly sha256: string;
  readonly archived: boolean;
  readonly projection: PageProjection;
}

export interface PageStoreOptions {
  readonly db: Db;
  readonly project: Project;
  readonly group: GroupCommit;
  readonly step: StepHook;
  /** Hears of every version inside its transaction. */
  readonly onWritten: (derived: Derived) => void;
}

const COLUMNS = 'v.page_id, v.version, v.content, v.sha256, v.author, v.origin, v.message, v.committed_at, v.archived';

/** Page versions in state.sqlite. */
export function pageStore({ db, project, group, step, onWritten }: PageStoreOptions): PageStore {
  const head = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM page_head h JOIN page_version v ON v.page_id = h.page_id AND v.version = h.version
     WHERE h.page_id = ?`,
  );
  const version = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM page_version v WHERE v.page_id = ? AND v.version = ?`,
  );
  const headVersion = db.prepare<[string], { version: number }>('SELECT version FROM page_head WHERE page_id = ?');
  const clash = idClash(db);
  const write = versionWriter(db);

  function commit(prepared: readonly Prepared[]): CommitResult {
    const { stale, blocked } = refusals(prepared);
    if (stale.length > 0 || blocked.length > 0) return { committed: false, stale, blocked };
    const written = prepared.map(one => write(one));
    step('state.insert');
    for (const derived of written) onWritten(derived);
    return { committed: true, versions: new Map(written.map(derived => [derived.pageId, derived.version])) };
  }

  function refusals(prepared: readonly Prepared[]): { stale: string[]; blocked: string[] } {
    const stale = new Set<string>();
    const blocked = new Set<string>();
    const seen = new Set<string>();
    const fresh = new Set<string>();
    for (const { put } of prepared) {
      const current = headVersion.get(put.pageId)?.version ?? 0;
      // A second put of one page in a set is planned on a version that the first one makes old.
      if (put.base !== current || seen.has(put.pageId)) stale.add(put.pageId);
      seen.add(put.pageId);
      if (current > 0) continue;
      fresh.add(put.pageId);
      if (clash.blocks(put.pageId)) blocked.add(put.pageId);
    }
    for (const pageId of fresh) if (foldersOf(pageId).some(folder => fresh.has(folder))) blocked.add(pageId);
    return { stale: [...stale], blocked: [...blocked] };
  }

  return {
    async head(pageId) {
      const row = head.get(pageId);
      return row && storedPage(row);
    },
    async version(pageId, number) {
      const row = version.get(pageId, number);
      return row && storedPage(row);
    },
    async commit(changes: ChangeSet) {
      const prepared = changes.puts.map(put => prepare(project, put));
      const weight = prepared.reduce((sum, one) => sum + one.content.length, 0);
      return group.run(() => commit(prepared), weight);
    },
  };
}

function prepare(project: Project, put: PagePut): Prepared {
  // Halves of surrogate pairs have no UTF-8 form: replaced here, so that store, file and hash hold the same bytes.
  const content = put.content.toWellFormed();
  const projection = project(put.pageId, content);
  // E145, E146: the flag in the text archives a page that comes from outside; a caller's write is always live.
  const archived = put.origin !== 'agent' && projection.facts.archived;
  return { put, content, sha256: sha256(content), archived, projection };
}

function versionWriter(db: Db): (prepared: Prepared) => Derived {
  const lastSeq = db.prepare<[], { seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM outbox');
  const insert = db.prepare(
    `INSERT INTO page_version (seq, page_id, version, sha256, author, origin, message, committed_at, archived, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setHead = db.prepare<[string, number, number, string, number]>(
    `INSERT INTO page_head (page_id, version, seq, sha256, archived) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (page_id) DO UPDATE SET
       version = excluded.version, seq = excluded.seq, sha256 = excluded.sha256, archived = excluded.archived`,
  );
  const announce = db.prepare<[number, string, number]>('INSERT INTO outbox (seq, page_id, version) VALUES (?, ?, ?)');
  return ({ put, content, sha256: hash, archived, projection }) => {
    const seq = lastSeq.get()!.seq + 1;
    const version = put.base + 1;
    const flag = archived ? 1 : 0;
    const { pageId, author, origin, message, committedAt } = put;
    insert.run(seq, pageId, version, hash, author, origin, message, committedAt, flag, content);
    setHead.run(pageId, version, seq, hash, flag);
    announce.run(seq, pageId, version);
    return { seq, pageId, version, sha256: hash, author, origin, committedAt, archived, projection };
  };
}

const storedPage = (row: Row): StoredPage => ({
  pageId: row.page_id,
  version: row.version,
  content: row.content,
  sha256: row.sha256,
  author: row.author,
  origin: row.origin,
  message: row.message,
  committedAt: row.committed_at,
  archived: row.archived === 1,
});
