import type { Db } from '../database.ts';
import type { DocWriter } from '../lexical/doc-writer.ts';
import { SLOTS } from './tables.ts';

export interface PageSweeper {
  /** Drops whatever hangs on a page number; answers how many blocks that were. */
  clear(pageNo: number): number;
  /** Drops rows that hang on no page, for page numbers from `from` on, below `to`. */
  orphans(from: number, to: number): void;
  /** The highest page number that anything hangs on. */
  last(): number;
  /** How many there are, after a repair. */
  recount(): number;
}

/** Rows of the index by page number alone, whether the page is there or not. Runs inside the caller's transaction. */
export function pageSweeper(db: Db, docs: DocWriter): PageSweeper {
  const range = (pageNo: number, toPageNo: number) => ({ from: pageNo * SLOTS, to: toPageNo * SLOTS });
  const indexed = db
    .prepare<[{ from: number; to: number }], number>(
      'SELECT block_id FROM doc WHERE block_id >= :from AND block_id < :to',
    )
    .pluck();
  const blocks = db.prepare<[{ from: number; to: number }]>(
    'DELETE FROM block WHERE block_id >= :from AND block_id < :to',
  );
  const links = db.prepare<[number]>('DELETE FROM link WHERE page_no = ?');
  const lostLinks = db.prepare<[number, number]>(
    'DELETE FROM link WHERE page_no >= ? AND page_no < ? AND page_no NOT IN (SELECT page_no FROM page)',
  );
  const lostBlocks = db.prepare<[{ from: number; to: number }]>(
    `DELETE FROM block WHERE block_id >= :from AND block_id < :to
       AND block_id / ${SLOTS} NOT IN (SELECT page_no FROM page)`,
  );
  const lostDocs = db
    .prepare<[{ from: number; to: number }], number>(
      `SELECT block_id FROM doc WHERE block_id >= :from AND block_id < :to
       EXCEPT SELECT block_id FROM block WHERE block_id >= :from AND block_id < :to`,
    )
    .pluck();
  const last = db.prepare<[], { last: number }>(
    `SELECT max(coalesce((SELECT max(page_no) FROM page), 0), coalesce((SELECT max(page_no) FROM link), 0),
       coalesce((SELECT max(block_id) FROM block), 0) / ${SLOTS}, coalesce((SELECT max(block_id) FROM doc), 0) / ${SLOTS}) AS last`,
  );
  const count = db.prepare<[], { blocks: number }>('SELECT count(*) AS blocks FROM block');
  return {
    clear(pageNo) {
      const here = range(pageNo, pageNo + 1);
      for (const blockId of indexed.all(here)) docs.remove(blockId);
      links.run(pageNo);
      return blocks.run(here).changes;
    },
    orphans(from, to) {
      const here = range(from, to);
      lostLinks.run(from, to);
      lostBlocks.run(here);
      for (const blockId of lostDocs.all(here)) docs.remove(blockId);
    },
    last: () => last.get()!.last,
    recount() {
      docs.mended();
      return count.get()!.blocks;
    },
  };
}
