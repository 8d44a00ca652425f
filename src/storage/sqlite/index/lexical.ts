import type { LaneFilter, LaneHit, LexicalLane, Term } from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import type { IndexFill } from './fill.ts';
import type { IndexWriter } from './index-writer.ts';
import { laneCondition, type Condition } from './filter-sql.ts';
import { SLOT_BITS, SLOTS } from './tables.ts';
import { keptStatements } from './kept-statements.ts';

/** A word in more blocks than this share says little, and ranking all of them takes long. Small stores have no such words. */
const COMMON_SHARE = 0.05;
const COMMON_AT_LEAST = 2000;
/** At most about this many blocks are ranked for one question; of a word that is everywhere, the newest. */
const ROWS_TO_RANK = 20_000;

interface Phrase {
  /** The words of a term as an FTS5 string. */
  readonly match: string;
  /** Blocks it is in, counted up to the bound of a common phrase. */
  readonly blocks: number;
}

interface HitRow {
  block_id: number;
  page_id: string;
  anchor: string;
  content: string;
  score: number;
}

/**
 * Blocks by their words. Phrases that stand in a large share of all blocks are left aside as long as rarer ones are there.
 * Blocks with every phrase come first, then blocks with some, each part by bm25.
 */
export function lexicalLane(db: Db, writer: IndexWriter, fill: IndexFill): LexicalLane {
  const count = db.prepare<[string, number], { blocks: number }>(
    'SELECT count(*) AS blocks FROM (SELECT 1 FROM block_fts WHERE block_fts MATCH ? LIMIT ?)',
  );
  const ranked = keptStatements<HitRow>(db);
  /** Counts of common phrases: they take longest to count and change least. */
  const common = new Map<string, number>();
  let countedAt = 0;

  function bound(): number {
    const { blocks } = writer.progress();
    if (Math.abs(blocks - countedAt) > countedAt * 0.1) {
      common.clear();
      countedAt = blocks;
    }
    return Math.max(COMMON_AT_LEAST, Math.ceil(blocks * COMMON_SHARE));
  }

  function phrasesOf(terms: readonly Term[]): { rare: Phrase[]; frequent: Phrase[] } {
    const most = bound();
    const phrases = [...new Set(terms.map(matchOf))].map((match): Phrase => {
      const blocks = common.get(match) ?? count.get(match, most)!.blocks;
      if (blocks === most) common.set(match, blocks);
      return { match, blocks };
    });
    const known = phrases.filter(phrase => phrase.blocks > 0).sort((a, b) => a.blocks - b.blocks);
    return {
      rare: known.filter(({ blocks }) => blocks < most),
      frequent: known.filter(({ blocks }) => blocks === most),
    };
  }

  function rank(match: string, most: number, filter: LaneFilter, condition: Condition, limit: number): HitRow[] {
    const onPage = filter.pageId === null ? '' : PAGE_RANGE;
    const ids = filter.pageId === null ? [] : [filter.pageId, filter.pageId];
    const best = most > ROWS_TO_RANK ? bestOfNewest(onPage, condition.sql) : bestOfAll(onPage, condition.sql);
    return ranked(hitsOf(best)).all(match, ...ids, ...condition.params, limit);
  }

  function search(terms: readonly Term[], filter: LaneFilter, limit: number): LaneHit[] {
    const { rare, frequent } = phrasesOf(terms);
    const telling = rare.length > 0 ? rare : frequent;
    if (telling.length === 0 || limit <= 0) return [];
    const condition = laneCondition(filter);
    const every = telling.map(phrase => phrase.match).join(' AND ');
    const all = rank(every, telling[0]!.blocks, filter, condition, limit);
    if (all.length >= limit || telling.length === 1) return all.map(row => hitOf(row, 0));
    const some = rank(affordable(telling).join(' OR '), telling[0]!.blocks, filter, condition, limit);
    const first = new Set(all.map(row => row.block_id));
    const rest = some.filter(row => !first.has(row.block_id)).slice(0, limit - all.length);
    const lift = rest[0] ? -rest[0].score : 0;
    return [...all.map(row => hitOf(row, lift)), ...rest.map(row => hitOf(row, 0))];
  }

  return {
    async search(terms, filter, limit) {
      if (!fill.complete()) await fill.whenComplete;
      return search(terms, filter, limit);
    },
  };
}

/** The rarest phrases, as many as the budget lets be ranked and at least one. */
function affordable(phrases: readonly Phrase[]): string[] {
  let rows = 0;
  return phrases
    .filter(({ blocks }, at) => {
      rows += blocks;
      return at === 0 || rows <= ROWS_TO_RANK;
    })
    .map(phrase => phrase.match);
}

/** A quoted string of FTS5 holds any text; the same tokenizer as in the index takes it apart. */
function matchOf({ words }: Term): string {
  return `"${words.join(' ').replaceAll('\0', ' ').replaceAll('"', '""')}"`;
}

const PAGE_RANGE = `AND f.rowid >= (SELECT page_no * ${SLOTS} FROM page WHERE page_id = ?)
  AND f.rowid < (SELECT (page_no + 1) * ${SLOTS} FROM page WHERE page_id = ?)`;

const candidates = (onPage: string, condition: string): string => `
  SELECT f.rowid AS block_id, f.rank AS score
  FROM block_fts f CROSS JOIN page p ON p.page_no = f.rowid >> ${SLOT_BITS}
  WHERE f.block_fts MATCH ? ${onPage} AND ${condition}`;

/** FTS5 sorts by rank itself and hands rows out one by one, so the join stops as soon as enough passed the condition. */
const bestOfAll = (onPage: string, condition: string): string =>
  `${candidates(onPage, condition)} ORDER BY f.rank LIMIT ?`;

const bestOfNewest = (onPage: string, condition: string): string =>
  `SELECT block_id, score FROM (${candidates(onPage, condition)} ORDER BY f.rowid DESC LIMIT ${ROWS_TO_RANK})
   ORDER BY score LIMIT ?`;

const hitsOf = (best: string): string => `
  SELECT hit.block_id, p.page_id, b.anchor, b.content, hit.score
  FROM (${best}) hit
  JOIN block b ON b.block_id = hit.block_id
  JOIN page p ON p.page_no = hit.block_id >> ${SLOT_BITS}
  ORDER BY hit.score, hit.block_id`;

/** bm25 of FTS5 is smaller for better rows. */
const hitOf = (row: HitRow, lift: number): LaneHit => ({
  pageId: row.page_id,
  anchor: row.anchor,
  content: row.content,
  score: lift - row.score,
});
