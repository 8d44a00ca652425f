import type { LaneFilter } from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import { laneCondition } from './filter-sql.ts';
import { keptStatements } from './kept-statements.ts';
import { SLOT_BITS, SLOTS } from './tables.ts';

export interface HitRow {
  readonly block_id: number;
  readonly page_id: string;
  readonly anchor: string;
  readonly content: string;
  /** bm25 of FTS5, smaller for better rows; 0 when not ranked. */
  readonly score: number;
}

/** Blocks that match an FTS5 expression and pass a filter. */
export interface FindHits {
  /** By bm25. Its cost grows with the blocks that any phrase of the expression is in. */
  best(match: string, limit: number): HitRow[];
  /** The newest pages first. Rows are taken one by one until enough passed. */
  newest(match: string, limit: number): HitRow[];
}

export function hitFinder(db: Db): (filter: LaneFilter) => FindHits {
  const statement = keptStatements<HitRow>(db);
  return filter => {
    const { sql, params } = laneCondition(filter);
    const onPage = filter.pageId === null ? '' : PAGE_RANGE;
    const ids = filter.pageId === null ? [] : [filter.pageId, filter.pageId];
    const run = (text: string, match: string, limit: number): HitRow[] =>
      statement(text).all(match, ...ids, ...params, limit);
    return {
      best: (match, limit) =>
        run(hits('f.rank', `${onPage} AND ${sql}`, 'f.rank', 'hit.score, hit.block_id'), match, limit),
      newest: (match, limit) =>
        run(hits('0.0', `${onPage} AND ${sql}`, 'f.rowid DESC', 'hit.block_id DESC'), match, limit),
    };
  };
}

const PAGE_RANGE = `AND f.rowid >= (SELECT page_no * ${SLOTS} FROM page WHERE page_id = ?)
  AND f.rowid < (SELECT (page_no + 1) * ${SLOTS} FROM page WHERE page_id = ?)`;

/** FTS5 sorts by itself and hands rows out one by one, so the join stops as soon as enough passed the condition. */
const hits = (score: string, condition: string, order: string, finalOrder: string): string => `
  SELECT hit.block_id, p.page_id, b.anchor, b.content, hit.score
  FROM (
    SELECT f.rowid AS block_id, ${score} AS score
    FROM block_fts f CROSS JOIN page p ON p.page_no = f.rowid >> ${SLOT_BITS}
    WHERE f.block_fts MATCH ? ${condition}
    ORDER BY ${order} LIMIT ?
  ) hit
  JOIN block b ON b.block_id = hit.block_id
  JOIN page p ON p.page_no = hit.block_id >> ${SLOT_BITS}
  ORDER BY ${finalOrder}`;
