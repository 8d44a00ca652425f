import type { Log } from '../../../kernel/log.ts';
import type { Origin, Project } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import { versionTexts, type TextRow } from '../state/version-text.ts';
import type { Derived } from './rows.ts';

export interface NewestVersions {
  /** Newest versions and removals committed after `from`, not after `to`, oldest first; `upTo` is how far `limit` of them reach. */
  between(from: number, to: number, limit: number): { readonly versions: Derived[]; readonly upTo: number };
  /** The newest commit. */
  newestSeq(): number;
  /** Every version of a page, oldest first. One that cannot be projected is left out. */
  of(pageId: string): Iterable<StoredVersion>;
  /** What tells the commit `seq` from that of another history, '' when there is none. */
  shaAt(seq: number): string;
}

export type StoredVersion = Pick<Derived, 'projection' | 'archived' | 'committedAt'>;

interface Row {
  seq: number;
  page_id: string;
  version: number;
  sha256: string;
  author: string | null;
  origin: Origin;
  committed_at: string;
  first_at: string;
  archived: number;
  content: string;
}

interface OneRow extends TextRow {
  archived: number;
  committed_at: string;
}

/**
 * What state.sqlite has for the index. A page whose newest version is younger than `to` is left out: its commit indexes it.
 * A page that cannot be projected is left out too and logged, so that it does not hold up the others.
 */
export function newestVersions(state: Db, project: Project, log: Log): NewestVersions {
  const select = state.prepare<[{ from: number; to: number; limit: number }], Row>(
    `SELECT v.seq, v.page_id, v.version, v.sha256, v.author, v.origin, v.committed_at,
       (SELECT f.committed_at FROM page_version f WHERE f.page_id = v.page_id ORDER BY f.version LIMIT 1) AS first_at,
       v.archived, v.content
     FROM page_version v JOIN page_head h ON h.page_id = v.page_id AND h.version = v.version
     WHERE v.seq > :from AND v.seq <= :to
     UNION ALL
     SELECT r.seq, r.page_id, 0, r.mark, NULL, 'system', r.removed_at, r.removed_at, 1, ''
     FROM page_removal r
     WHERE r.seq > :from AND r.seq <= :to AND NOT EXISTS (SELECT 1 FROM page_head h WHERE h.page_id = r.page_id)
     ORDER BY 1 LIMIT :limit`,
  );
  const newest = state.prepare<[], { seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM outbox');
  const sha = state.prepare<[{ seq: number }], { sha256: string }>(
    `SELECT sha256 FROM page_version WHERE seq = :seq
     UNION ALL SELECT mark FROM page_removal WHERE seq = :seq`,
  );

  const numbers = state
    .prepare<[string], number>('SELECT version FROM page_version WHERE page_id = ? ORDER BY version')
    .pluck();
  const one = state.prepare<[string, number], OneRow>(
    `SELECT content, delta_of, sha256, archived, committed_at FROM page_version WHERE page_id = ? AND version = ?`,
  );
  const texts = versionTexts(state);

  function* of(pageId: string): Iterable<StoredVersion> {
    for (const version of numbers.all(pageId)) {
      const row = one.get(pageId, version)!;
      try {
        const projection = project(pageId, texts.of(row));
        yield { projection, archived: row.archived === 1, committedAt: row.committed_at };
      } catch (error) {
        log.error({ err: error, page_id: pageId, version }, 'a past version cannot be indexed');
      }
    }
  }

  function derive(row: Row): Derived[] {
    try {
      return [
        {
          seq: row.seq,
          pageId: row.page_id,
          version: row.version,
          sha256: row.sha256,
          author: row.author,
          origin: row.origin,
          committedAt: row.committed_at,
          firstAt: row.first_at,
          archived: row.archived === 1,
          projection: project(row.page_id, row.content),
        },
      ];
    } catch (error) {
      log.error({ err: error, page_id: row.page_id }, 'page cannot be indexed');
      return [];
    }
  }
  return {
    of,
    between(from, to, limit) {
      const rows = select.all({ from, to, limit });
      return { versions: rows.flatMap(derive), upTo: rows.length < limit ? to : rows.at(-1)!.seq };
    },
    newestSeq: () => newest.get()!.seq,
    shaAt: seq => sha.get({ seq })?.sha256 ?? '',
  };
}
