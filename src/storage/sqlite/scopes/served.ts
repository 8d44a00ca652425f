import type { ServedReader } from '../../../rules/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';

/** Accesses that are looked at, the newest ones. */
const LOOKED_AT = 100_000;

/** Counts in the log of a scope how often its rules were handed out. */
export function sqliteServedReader(files: ScopeFiles): ServedReader {
  const sql = files.prepared(prepare);
  return {
    async served(scope) {
      return new Map(
        sql(scope)
          .all(LOOKED_AT)
          .map(({ ruleId, times }) => [ruleId, times]),
      );
    },
  };
}

const prepare = (db: Db) =>
  db.prepare<[newest: number], { ruleId: string; times: number }>(`
    SELECT substr(e.value, 6, instr(e.value || '@', '@') - 6) AS ruleId, count(*) AS times
    FROM (SELECT refs FROM search_log WHERE operation IN ('search', 'read_rule', 'provenance') AND channel <> 'approval'
          ORDER BY rowid DESC LIMIT ?) l, json_each(l.refs) e
    WHERE e.value GLOB 'rule/*' GROUP BY ruleId`);
