import type { Db } from '../connect.ts';
import type { Reading } from './reading.ts';

/** What tells of a change, by where is searched. */
const STATES: Readonly<Record<Reading['tables'], string>> = {
  // Other tables that take the place of these were filled by another build.
  lex: 'SELECT hex(d.block) || m.build FROM lex_word_data d JOIN lex_meta m WHERE d.id = 10',
  texts: 'SELECT hex(block) FROM rule_fts_data WHERE id = 10',
};

/**
 * Tells whether rules changed since it was asked last: a commit that touches an FTS5 table writes the structure record of the
 * table anew, and every change of a rule touches it.
 */
export function changesOf(db: Db, tables: Reading['tables']): () => boolean {
  const state = db.prepare<[], string>(STATES[tables]).pluck();
  let seen: string | undefined;
  return () => {
    const now = state.get();
    if (now !== undefined && seen === now) return false;
    seen = now;
    return true;
  };
}
