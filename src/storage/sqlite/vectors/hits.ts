import type { LaneFilter, LaneHit } from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import { laneCondition } from '../index/filter-sql.ts';
import { keptStatements } from '../index/kept-statements.ts';
import { SLOT_BITS, SLOTS } from '../index/tables.ts';
import type { ScoredBlock } from './matrix.ts';

export interface BlockReads {
  /** Those of the blocks that are there and pass the whole filter, in the order given. */
  passing(found: readonly ScoredBlock[], filter: LaneFilter): LaneHit[];
  /** Every page that passes it. */
  pagesPassing(filter: LaneFilter): readonly number[];
  pageNo(pageId: string): number | undefined;
}

interface Row {
  readonly block_id: number;
  readonly page_id: string;
  readonly anchor: string;
  readonly content: string;
}

/** SQL has the last word on every hit: what memory knows only says where to look. */
export function blockReads(index: Db): BlockReads {
  const hits = keptStatements<Row>(index);
  const pages = keptStatements<{ readonly page_no: number }>(index);
  const pageNo = index.prepare<[string], number>('SELECT page_no FROM page WHERE page_id = ?').pluck();
  return {
    passing(found, filter) {
      const { sql, params } = laneCondition(filter);
      const ids = JSON.stringify(found.map(({ page, slot }) => page * SLOTS + slot));
      const rows = hits(
        `SELECT b.block_id, p.page_id, b.anchor, b.content
         FROM json_each(?) wanted
         CROSS JOIN block b ON b.block_id = wanted.value
         CROSS JOIN page p ON p.page_no = b.block_id >> ${SLOT_BITS}
         WHERE ${sql}`,
      ).all(ids, ...params);
      const byId = new Map(rows.map(row => [row.block_id, row]));
      return found.flatMap(({ page, slot, score }) => {
        const row = byId.get(page * SLOTS + slot);
        return row ? [{ pageId: row.page_id, anchor: row.anchor, content: row.content, score }] : [];
      });
    },
    pagesPassing(filter) {
      const { sql, params } = laneCondition(filter);
      return pages(`SELECT p.page_no FROM page p WHERE ${sql}`)
        .all(...params)
        .map(row => row.page_no);
    },
    pageNo: pageId => pageNo.get(pageId),
  };
}
