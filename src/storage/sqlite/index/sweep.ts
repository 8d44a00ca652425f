import type { Db } from '../database.ts';
import { SLOTS } from './tables.ts';

export interface PageSweeper {
  /** Drops whatever hangs on a page number; answers how many blocks that were. */
  clear(pageNo: number): number;
  /** Drops rows that hang on no page, for page numbers from `from` on, below `to`. */
  orphans(from: number, to: number): void;
  /** The highest page number that anything hangs on. */
  last(): number;
  countBlocks(): number;
}

/** Rows of the index by page number alone, whether the page is there or not. Runs inside the caller's transaction. */
export function pageSweeper(db: Db): PageSweeper {
  const range = (pageNo: number, toPageNo: number) => ({ from: pageNo * SLOTS, to: toPageNo * SLOTS });
  // Its rowids are read off the table of their sizes, for a range of rowids of the fts table itself is a scan of all of it.
  const words = db.prepare<[{ from: number; to: number }]>(
    `DELETE FROM block_fts WHERE rowid IN (SELECT id FROM block_fts_docsize WHERE id >= :from AND id < :to)`,
  );
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
  const lostWords = db.prepare<[{ from: number; to: number }]>(
    `DELETE FROM block_fts WHERE rowid IN (
       SELECT id FROM block_fts_docsize WHERE id >= :from AND id < :to
       EXCEPT SELECT block_id FROM block WHERE block_id >= :from AND block_id < :to)`,
  );
  const last = db.prepare<[], { last: number }>(
    `SELECT max(coalesce((SELECT max(page_no) FROM page), 0), coalesce((SELECT max(page_no) FROM link), 0),
       coalesce((SELECT max(block_id) FROM block), 0) / ${SLOTS}, coalesce((SELECT max(id) FROM block_fts_docsize), 0) / ${SLOTS}) AS last`,
  );
  const count = db.prepare<[], { blocks: number }>('SELECT count(*) AS blocks FROM block');
  return {
    clear(pageNo) {
      const here = range(pageNo, pageNo + 1);
      words.run(here);
      links.run(pageNo);
      return blocks.run(here).changes;
    },
    orphans(from, to) {
      const here = range(from, to);
      lostLinks.run(from, to);
      lostBlocks.run(here);
      lostWords.run(here);
    },
    last: () => last.get()!.last,
    countBlocks: () => count.get()!.blocks,
  };
}
