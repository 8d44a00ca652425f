import type { RuleSearch } from '../../../rules/search/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import { anyOf } from './fts-query.ts';
import { RULE_FIELDS, ruleOf, seqOf, type RuleRow } from './version-rows.ts';

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
      const { matching } = sql(scope);
      return terms.map(term => {
        const found = new Set(matching.all({ query: anyOf(term.phrases)! }));
        return { rules: found.size, among: new Set(ruleIds.filter(id => found.has(seqOf(id)))) };
      });
    },
    async size(scope) {
      return sql(scope).size.get()!;
    },
  };
}

const prepare = (db: Db) => ({
  // The columns of a rule are looked up for those that are answered only.
  candidates: db.prepare<[{ query: string; statuses: string; limit: number }], RuleRow & { score: number }>(`
    SELECT ${RULE_FIELDS}, best.score
    FROM (
      SELECT f.rowid AS seq, -bm25(rule_fts, ${WEIGHTS}) AS score
      FROM rule_fts f JOIN rule q ON q.seq = f.rowid JOIN current_version c ON c.rule_id = q.id
      WHERE rule_fts MATCH @query AND c.status IN (SELECT value FROM json_each(@statuses))
      ORDER BY score DESC, f.rowid LIMIT @limit) best
    JOIN rule r ON r.seq = best.seq JOIN current_version v ON v.rule_id = r.id
    ORDER BY best.score DESC, r.seq`),
  matching: db.prepare<[{ query: string }], number>('SELECT rowid FROM rule_fts WHERE rule_fts MATCH @query').pluck(),
  // The size of each indexed rule is kept there, one row a rule; counting rule_fts itself reads every text.
  size: db.prepare<[], number>('SELECT count(*) FROM rule_fts_docsize').pluck(),
});
