import { SUB_QUERIES, type Analysis, type SubQuery } from '../../../rules/search/lexical/index.ts';
import type { RankRequest, RuleSearch } from '../../../rules/search/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import { anyOf, containing, exactlyAnyOf } from './fts-query.ts';
import { lexicalRows } from './lexical-rows.ts';
import { fusedBy } from './rank-sql.ts';
import { seqOf } from './version-rows.ts';
import { vocabularyOf } from './vocabulary.ts';

/** Searches the lexical tables of a scope (contract 7). */
export function sqliteRuleSearch(files: ScopeFiles): RuleSearch {
  const sql = files.prepared(prepare);
  return {
    analysis: files.analysis,
    async vocabulary(scope) {
      return sql(scope).vocabulary;
    },
    async rank(scope, request) {
      return sql(scope).rank(request);
    },
    async indexed(scope, ruleIds) {
      return sql(scope).indexed(ruleIds);
    },
  };
}

/** How each way reads its phrases. */
const READ: Readonly<Record<SubQuery, (phrases: readonly (readonly string[])[]) => string | undefined>> = {
  word: anyOf,
  syn: anyOf,
  fuzzy: exactlyAnyOf,
  stem: exactlyAnyOf,
  prf: exactlyAnyOf,
  tri: containing,
};

interface IndexedRow {
  words: string;
  stems: string;
}

function prepare(db: Db, analysis: Analysis) {
  lexicalRows(db, analysis);
  const fused = fusedBy(db, analysis.settings);
  const idOf = db.prepare<[seq: number], string>('SELECT id FROM rule WHERE seq = ?').pluck();
  const text = (table: string): string =>
    ['keywords', 'statement', 'relations', 'quote'].map(column => `${table}.${column}`).join(` || ' | ' || `);
  const indexed = db.prepare<[seq: number], IndexedRow>(`
    SELECT ${text('w')} AS words, ${text('s')} AS stems
    FROM lex_word w JOIN lex_stem s ON s.rowid = w.rowid WHERE w.rowid = ?`);
  return {
    vocabulary: vocabularyOf(db),
    rank({ ways, statuses, day, limit }: RankRequest) {
      const queries = SUB_QUERIES.flatMap(way => {
        const query = READ[way](ways[way] ?? []);
        return query === undefined ? [] : [{ way, query }];
      });
      return fused(queries, statuses, day, limit).map(({ seq, score }) => ({ ruleId: idOf.get(seq)!, score }));
    },
    indexed(ruleIds: readonly string[]) {
      const rows = ruleIds.map(id => [id, indexed.get(seqOf(id))] as const);
      return new Map(rows.flatMap(([id, row]) => (row ? [[id, row] as const] : [])));
    },
  };
}
