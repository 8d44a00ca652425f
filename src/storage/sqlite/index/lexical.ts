import { termsOf } from '../../../search/index.ts';
import type { LaneFilter, LaneHit, LexicalLane, Term } from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import type { IndexFill } from './fill.ts';
import type { IndexWriter } from './index-writer.ts';
import { countedPhrases, type Phrase } from './phrases.ts';
import { hitFinder, type FindHits, type HitRow } from './hit-finder.ts';

/** A word in more blocks than this share says little as long as rarer ones are there. Small stores have no such words. */
const COMMON_SHARE = 0.05;
const COMMON_AT_LEAST = 2000;
/** Ranking looks at every block a phrase is in: more than this many are too much for one question. */
const ROWS_TO_RANK = 20_000;

/**
 * Blocks by their words. Phrases that stand in a large share of all blocks are left aside as long as rarer ones are there.
 * Blocks with every phrase come first, then blocks with some, each part by bm25. A question of words that are everywhere
 * is not ranked: titles first, then the newest pages.
 */
export function lexicalLane(db: Db, writer: IndexWriter, fill: IndexFill): LexicalLane {
  const phrases = countedPhrases(db, () => writer.progress().blocks);
  const find = hitFinder(db);

  function search(terms: readonly Term[], filter: LaneFilter, limit: number): LaneHit[] {
    const common = Math.max(COMMON_AT_LEAST, Math.ceil(writer.progress().blocks * COMMON_SHARE));
    const known = phrases(terms, Math.max(common, ROWS_TO_RANK));
    if (known.length === 0 || limit <= 0) return [];
    const rankable = known.filter(phrase => phrase.blocks < ROWS_TO_RANK);
    const rare = rankable.filter(phrase => phrase.blocks < common);
    if (rare.length > 0) return ranked(find(filter), rare, limit);
    return rankable.length > 0 ? ranked(find(filter), rankable, limit) : newest(find(filter), known, limit);
  }

  return {
    async search(terms, filter, limit) {
      if (!fill.complete()) await fill.whenComplete;
      return search(terms, filter, limit);
    },
    async ask({ text, language }, filter, limit) {
      if (!fill.complete()) await fill.whenComplete;
      const terms = termsOf(text);
      const words = [...new Set(terms.flatMap(term => term.words))];
      const hits = search(terms, filter, limit).map(hit => ({ ...hit, matched: [], coverage: 0 }));
      return { hits, words, language: language ?? null, corrections: [] };
    },
  };
}

const every = (phrases: readonly Phrase[]): string => phrases.map(phrase => phrase.match).join(' AND ');

function ranked(find: FindHits, phrases: readonly Phrase[], limit: number): LaneHit[] {
  const all = find.best(every(phrases), limit);
  if (all.length >= limit || phrases.length === 1) return all.map(row => hitOf(row, -row.score));
  const some = find.best(affordable(phrases).join(' OR '), limit);
  const first = new Set(all.map(row => row.block_id));
  const rest = some.filter(row => !first.has(row.block_id)).slice(0, limit - all.length);
  // bm25 of FTS5 is smaller for better rows.
  const lift = rest[0] ? -rest[0].score : 0;
  return [...all.map(row => hitOf(row, lift - row.score)), ...rest.map(row => hitOf(row, -row.score))];
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

function newest(find: FindHits, phrases: readonly Phrase[], limit: number): LaneHit[] {
  const found = new Map<number, HitRow>();
  const one = phrases[0]!.match;
  for (const match of [`{title name} : (${one})`, every(phrases), one]) {
    if (found.size >= limit) break;
    for (const row of find.newest(match, limit)) if (!found.has(row.block_id)) found.set(row.block_id, row);
  }
  return [...found.values()].slice(0, limit).map((row, at) => hitOf(row, 1 / (at + 1)));
}

const hitOf = (row: HitRow, score: number): LaneHit => ({
  pageId: row.page_id,
  anchor: row.anchor,
  content: row.content,
  score,
});
