import type { RejectedReader } from '../../../rules/decisions/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import { anyOf } from './fts-query.ts';
import { seqOf, VERSION_FIELDS, versionOf, type VersionRow } from './version-rows.ts';

/** Reads rejected rules, for the approval channel alone. */
export function sqliteRejectedReader(files: ScopeFiles): RejectedReader {
  const sql = files.prepared(prepare);
  return {
    async list(scope, { words, match, after, limit }) {
      const from = after === undefined ? 0 : seqOf(after);
      const needed = match === 'all' ? words.length : Math.min(1, words.length);
      return sql(scope)
        .list.all({ words: JSON.stringify(words), needed, after: from, limit })
        .map(versionOf);
    },
    async count(scope) {
      return sql(scope).count.get()!;
    },
    async similar(scope, phrases, limit) {
      const query = anyOf(phrases);
      return query === undefined ? [] : sql(scope).similar.all({ query, limit }).map(versionOf);
    },
  };
}

const prepare = (db: Db) => ({
  // A page goes on where the rule named last stands: by the moment of its rejection, then by number.
  list: db.prepare<[{ words: string; needed: number; after: number; limit: number }], VersionRow>(`
    WITH rejected AS (
      SELECT r.seq, v.* FROM rule r JOIN current_version v ON v.rule_id = r.id WHERE v.status = 'rejected')
    SELECT ${VERSION_FIELDS} FROM rejected v
    WHERE (@after = 0 OR (v.changed_at, v.seq) < (SELECT changed_at, seq FROM rejected WHERE seq = @after))
      AND (
        SELECT count(*) FROM json_each(@words) w
        WHERE instr(lowered(v.statement || char(10) || v.quote || char(10) || v.keywords || char(10) || v.reason), w.value) > 0
      ) >= @needed
    ORDER BY v.changed_at DESC, v.seq DESC LIMIT @limit`),
  count: db.prepare<[], number>(`SELECT count(*) FROM current_version WHERE status = 'rejected'`).pluck(),
  similar: db.prepare<[{ query: string; limit: number }], VersionRow>(`
    SELECT ${VERSION_FIELDS} FROM rejected_fts JOIN rule r ON r.seq = rejected_fts.rowid
      JOIN current_version v ON v.rule_id = r.id
    WHERE rejected_fts MATCH @query ORDER BY bm25(rejected_fts, 4, 3, 2, 1), r.seq LIMIT @limit`),
});
