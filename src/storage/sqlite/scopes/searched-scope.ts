import { SUB_QUERIES, type Analysis, type SubQuery } from '../../../rules/search/lexical/index.ts';
import type { RankRequest, SearchedScope } from '../../../rules/search/ports.ts';
import type { Db } from './connect.ts';
import { anyOf, containing, exactlyAnyOf } from './fts-query.ts';
import { fusedBy } from './lexical/rank-sql.ts';
import type { Reading, Readings } from './lexical/reading.ts';
import { TABLES } from './lexical/tables.ts';
import { vocabularyOf } from './lexical/vocabulary.ts';
import { RULE_FIELDS, ruleOf, seqOf, type RuleRow } from './version-rows.ts';

/** A scope as it is searched on one connection. */
export interface SearchScope {
  now(): SearchedScope;
  /** What is asked of it is read by the analysis of that build, whatever has taken its place. */
  as(build: string): Pick<SearchedScope, 'analysis' | 'indexed'>;
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

const joined = (texts: Readonly<Record<string, string>>): string => Object.values(texts).join(' | ');

export function searchedScopeOf(db: Db, readings: Readings): SearchScope {
  const byId = db.prepare<[id: string], RuleRow>(`
    SELECT ${RULE_FIELDS} FROM rule r JOIN current_version v ON v.rule_id = r.id WHERE r.id = ?`);
  const find = async (id: string) => {
    const row = byId.get(id);
    return row && ruleOf(row);
  };
  const idOf = db.prepare<[seq: number], string>('SELECT id FROM rule WHERE seq = ?').pluck();
  const text = (table: string): string =>
    ['keywords', 'statement', 'relations', 'quote'].map(column => `${table}.${column}`).join(` || ' | ' || `);
  const stored = db.prepare<[seq: number], IndexedRow>(`
    SELECT ${text('w')} AS words, ${text('s')} AS stems
    FROM lex_word w JOIN lex_stem s ON s.rowid = w.rowid WHERE w.rowid = ?`);

  /** The words of a rule as they are in the tables, else as they would be. */
  function rowOf(id: string, { tables, analysis }: Reading): IndexedRow | undefined {
    if (tables === 'lex') return stored.get(seqOf(id));
    const row = byId.get(id);
    if (!row || row.status === 'rejected') return undefined;
    const { words, stems } = analysis.textsOf(ruleOf(row).current);
    return { words: joined(words), stems: joined(stems) };
  }
  const indexedBy = (reading: Reading) => async (ruleIds: readonly string[]) =>
    new Map(
      ruleIds.flatMap(id => {
        const row = rowOf(id, reading);
        return row ? [[id, row] as const] : [];
      }),
    );

  function searched(reading: Reading): SearchedScope {
    const { tables, analysis } = reading;
    const fused = fusedBy(db, analysis.settings, TABLES[tables]);
    return {
      analysis,
      vocabulary: vocabularyOf(db, tables),
      async rank({ ways, statuses, day, limit }: RankRequest) {
        const queries = SUB_QUERIES.flatMap(way => {
          const query = READ[way](ways[way] ?? []);
          return query === undefined ? [] : [{ way, query }];
        });
        return fused(queries, statuses, day, limit).map(({ seq, ...rest }) => ({ ruleId: idOf.get(seq)!, ...rest }));
      },
      indexed: indexedBy(reading),
      find,
    };
  }

  const made = new Map<Analysis, SearchedScope>();
  return {
    now() {
      const reading = readings.now();
      const known = made.get(reading.analysis) ?? searched(reading);
      made.set(reading.analysis, known);
      return known;
    },
    as(build) {
      const reading = readings.now();
      if (reading.analysis.build === build) return { analysis: reading.analysis, indexed: indexedBy(reading) };
      const analysis = readings.analysisOf(build);
      return { analysis, indexed: indexedBy({ tables: 'texts', analysis }) };
    },
  };
}
