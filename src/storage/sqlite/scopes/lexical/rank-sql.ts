import type { LexicalSettings, SubQuery } from '../../../../rules/search/lexical/index.ts';
import type { VisibleStatus } from '../../../../rules/schema.ts';
import type { Db } from '../connect.ts';
import type { SearchedTables } from './tables.ts';

export interface WayQuery {
  readonly way: SubQuery;
  /** As FTS5 reads it. */
  readonly query: string;
}

export interface Fused {
  readonly seq: number;
  readonly score: number;
  readonly status: VisibleStatus;
}

export type Fuse = (
  queries: readonly WayQuery[],
  statuses: readonly VisibleStatus[],
  day: string,
  limit: number,
) => Fused[];

/**
 * Ranks each way by bm25 and adds them up (contract 7.4): by score, each way as a share of its best; by rank, 1 / (k + rank). A
 * single way keeps its score. Then how the version stands on the day: over x0.5, not yet begun x0.8, proposed x0.95, begun
 * within the last year up to x1.02. Best first, ties by seq.
 */
export function fusedBy(db: Db, settings: LexicalSettings, tables: SearchedTables): Fuse {
  const statements = new Map<string, ReturnType<typeof prepareFor>>();
  return (queries, statuses, day, limit) => {
    if (queries.length === 0) return [];
    const ways = queries.map(({ way }) => way);
    const key = ways.join(' ');
    const statement = statements.get(key) ?? prepareFor(db, settings, tables, ways);
    statements.set(key, statement);
    const matches = Object.fromEntries(queries.map(({ way, query }) => [way, query]));
    return statement.all({ ...matches, statuses: JSON.stringify(statuses), day, limit });
  };
}

function prepareFor(db: Db, settings: LexicalSettings, tables: SearchedTables, ways: readonly SubQuery[]) {
  const found = ways.map(way => matchesOf(way, settings, tables));
  const parts = ways.map(way => partOf(way, settings, ways.length === 1));
  const standing = settings.features.validity ? STANDING : '1';
  return db.prepare<[Record<string, string | number>], Fused>(`
    WITH ${found.join(', ')},
      part (seq, score) AS (${parts.join(' UNION ALL ')}),
      fused (seq, score) AS (SELECT seq, sum(score) FROM part GROUP BY seq)
    SELECT f.seq, f.score * ${standing} AS score, d.status FROM fused f JOIN ${tables.docs} d ON d.seq = f.seq
    ORDER BY 2 DESC, 1 LIMIT @limit`);
}

const matchesOf = (way: SubQuery, { fieldWeights }: LexicalSettings, { ways, docs }: SearchedTables): string => {
  const table = ways[way];
  return `${way} (seq, score) AS MATERIALIZED (
    SELECT x.rowid, -bm25(${table}, ${fieldWeights.join(', ')}) FROM ${table} x JOIN ${docs} s ON s.seq = x.rowid
    WHERE ${table} MATCH @${way} AND s.status IN (SELECT value FROM json_each(@statuses)))`;
};

function partOf(way: SubQuery, { fusion, rrfK, subWeights }: LexicalSettings, alone: boolean): string {
  if (alone) return `SELECT seq, score FROM ${way}`;
  const weight = subWeights[way];
  if (fusion === 'rrf')
    return `SELECT seq, ${weight} / (${rrfK}.0 + row_number() OVER (ORDER BY score DESC, seq)) FROM ${way}`;
  return `SELECT seq, ${weight} * score / (SELECT max(1e-9, max(score)) FROM ${way}) FROM ${way}`;
}

const STANDING = `CASE
    WHEN d.valid_until IS NOT NULL AND d.valid_until <= @day THEN 0.5
    WHEN d.valid_from > @day THEN 0.8
    WHEN d.status = 'proposed' THEN 0.95
    ELSE 1 + 0.02 * max(0, 1 - (julianday(@day) - julianday(d.valid_from)) / 365.0) END`;
