import type { Db } from './connect.ts';

/**
 * Tells whether rules changed since it was asked last: a commit that touches an FTS5 table writes the structure record of the
 * table anew, and every change of a rule touches it.
 */
export function changesOf(db: Db): () => boolean {
  const state = db.prepare<[], Buffer>('SELECT block FROM lex_word_data WHERE id = 10').pluck();
  let seen: Buffer | undefined;
  return () => {
    const now = state.get();
    if (now !== undefined && seen?.equals(now)) return false;
    seen = now;
    return true;
  };
}
