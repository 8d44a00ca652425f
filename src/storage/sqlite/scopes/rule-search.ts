import type { RuleSearch } from '../../../rules/search/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import { anyOf } from './fts-query.ts';
import { RULE_FIELDS, ruleOf, type RuleRow } from './version-rows.ts';

/** Weights of keywords, statement, relations and quote (contract 7.4). */
const WEIGHTS = '4, 3, 2, 1';

export function sqliteRuleSearch(files: ScopeFiles): RuleSearch {
  const sql = files.prepared(prepare);
  return {
    async candidates(scope, terms, statuses, limit) {
      const query = anyOf(terms.flatMap(term => term.phrases));
      if (query === undefined) return [];
      const rows = sql(scope).candidates.all({ query, statuses: JSON.stringify(statuses), limit });
      return rows.map(({ score, ...row }) => ({ rule: ruleOf(row), score }));
    },
    async standing(scope, terms, ruleIds) {
      const { count, among } = sql(scope);
      const ids = JSON.stringify(ruleIds);
      return terms.map(term => {
        const query = anyOf(term.phrases)!;
        return { rules: count.get({ query })!, among: new Set(among.all({ query, ids })) };
      });
    },
    async size(scope) {
      return sql(scope).size.get()!;
    },
  };
}

const prepare = (db: Db) => ({
  candidates: db.prepare<[{ query: string; statuses: string; limit: number }], RuleRow & { score: number }>(`
    SELECT ${RULE_FIELDS}, -bm25(rule_fts, ${WEIGHTS}) AS score
    FROM rule_fts JOIN rule r ON r.seq = rule_fts.rowid JOIN current_version v ON v.rule_id = r.id
    WHERE rule_fts MATCH @query AND v.status IN (SELECT value FROM json_each(@statuses))
    ORDER BY score DESC, r.seq LIMIT @limit`),
  count: db.prepare<[{ query: string }], number>('SELECT count(*) FROM rule_fts WHERE rule_fts MATCH @query').pluck(),
  among: db
    .prepare<[{ query: string; ids: string }], string>(`
      SELECT r.id FROM json_each(@ids) i JOIN rule r ON r.id = i.value
      WHERE r.seq IN (SELECT rowid FROM rule_fts WHERE rule_fts MATCH @query)`)
    .pluck(),
  size: db.prepare<[], number>('SELECT count(*) FROM rule_fts').pluck(),
});
