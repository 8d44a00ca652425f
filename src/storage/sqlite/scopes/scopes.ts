import type { ScopeCounts, Scopes } from '../../../rules/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';

/** The scope files as the domain sees them. */
export function sqliteScopes(files: ScopeFiles): Scopes {
  const sql = files.prepared(prepare);
  return {
    async ensureOpen(scope) {
      files.open(scope);
    },
    async state(scope) {
      return files.state(scope);
    },
    async filling(scope) {
      return files.lexical(scope).progress();
    },
    async counts(scope) {
      return sql(scope).get()!;
    },
  };
}

const prepare = (db: Db) =>
  db.prepare<[], ScopeCounts>(`
    SELECT count(*) FILTER (WHERE status = 'proposed') AS proposed,
      count(*) FILTER (WHERE status = 'confirmed') AS confirmed,
      count(*) FILTER (WHERE status = 'superseded') AS superseded,
      (SELECT max(at) FROM (SELECT max(changed_at) AS at FROM rule_version UNION ALL SELECT max(fetched_at) FROM source))
        AS lastWrite
    FROM current_version`);
