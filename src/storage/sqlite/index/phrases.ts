import type { Term } from '../../../search/ports.ts';
import type { Db } from '../database.ts';

export interface Phrase {
  /** The words of a term as an FTS5 string. */
  readonly match: string;
  /** Blocks it is in, counted up to a bound. */
  readonly blocks: number;
}

/**
 * Turns terms into phrases that occur at all, the rarest first. Counts that reached the bound are kept: they take longest
 * and change least. `blocks` is the size of the index.
 */
export function countedPhrases(db: Db, blocks: () => number): (terms: readonly Term[], bound: number) => Phrase[] {
  const count = db.prepare<[string, number], { blocks: number }>(
    'SELECT count(*) AS blocks FROM (SELECT 1 FROM block_fts WHERE block_fts MATCH ? LIMIT ?)',
  );
  const many = new Set<string>();
  let keptAt = 0;

  return (terms, bound) => {
    const size = blocks();
    if (Math.abs(size - keptAt) > keptAt * 0.1) {
      many.clear();
      keptAt = size;
    }
    return [...new Set(terms.map(matchOf))]
      .map((match): Phrase => {
        const found = many.has(match) ? bound : count.get(match, bound)!.blocks;
        if (found === bound) many.add(match);
        return { match, blocks: found };
      })
      .filter(phrase => phrase.blocks > 0)
      .sort((a, b) => a.blocks - b.blocks);
  };
}

/** A quoted string of FTS5 holds any text; the same tokenizer as in the index takes it apart. */
function matchOf({ words }: Term): string {
  return `"${words.join(' ').replaceAll('\0', ' ').replaceAll('"', '""')}"`;
}
