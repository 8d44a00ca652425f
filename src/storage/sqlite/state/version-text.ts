import { sha256 } from '../../../kernel/hash.ts';
import type { Db } from '../database.ts';
import { applyDelta } from './delta.ts';

/** How many deltas may lie between a version and a text that is stored whole. */
export const LONGEST_CHAIN = 128;

/** A row of page_version, as far as its text goes. */
export interface TextRow {
  readonly content: string;
  readonly delta_of: number | null;
  readonly sha256: string;
}

export interface VersionTexts {
  /** The text of a version, checked against its hash. Throws when what is stored does not give it. */
  of(row: TextRow): string;
  /** How many deltas it takes. */
  depth(row: Pick<TextRow, 'delta_of'>): number;
}

export function versionTexts(db: Db): VersionTexts {
  const select = db.prepare<[number], TextRow>('SELECT content, delta_of, sha256 FROM page_version WHERE seq = ?');

  function next(seq: number): TextRow {
    const row = select.get(seq);
    if (!row) throw new Error(`commit ${seq}, which older versions are stored against, is missing`);
    return row;
  }

  return {
    of(row) {
      if (row.delta_of === null) return row.content;
      const deltas: string[] = [];
      let at = row;
      for (; at.delta_of !== null; at = next(at.delta_of)) {
        // A chain that leads back into itself must not hold the process up.
        if (deltas.push(at.content) > 2 * LONGEST_CHAIN) throw new Error('a version is stored in a chain without end');
      }
      const text = deltas.reduceRight(applyDelta, at.content);
      if (sha256(text) !== row.sha256) throw new Error('a stored version does not have the bytes that its hash names');
      return text;
    },
    depth(row) {
      let depth = 0;
      for (let of = row.delta_of; of !== null; of = next(of).delta_of) depth++;
      return depth;
    },
  };
}
