import type { RejectedReader } from '../../../rules/decisions/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import { anyOf } from './fts-query.ts';
import { VERSION_FIELDS, versionOf, type VersionRow } from './version-rows.ts';

/** Reads rejected rules, for the approval channel alone. */
export function sqliteRejectedReader(files: ScopeFiles): RejectedReader {
  const sql = files.prepared(prepare);
  return {
    async similar(scope, phrases, limit) {
      const query = anyOf(phrases);
      return query === undefined ? [] : sql(scope).all({ query, limit }).map(versionOf);
    },
  };
}

const prepare = (db: Db) =>
  db.prepare<[{ query: string; limit: number }], VersionRow>(`
    SELECT ${VERSION_FIELDS} FROM rejected_fts JOIN rule r ON r.seq = rejected_fts.rowid
      JOIN current_version v ON v.rule_id = r.id
    WHERE rejected_fts MATCH @query ORDER BY bm25(rejected_fts, 4, 3, 2, 1), r.seq LIMIT @limit`);
