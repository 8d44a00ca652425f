import type { Db } from '../connect.ts';
import type { Generation } from './rows.ts';

/** Rows that are removed at a time. */
const ROWS = 50;
const TABLES = ['word', 'stem', 'tri'] as const;
/** Tables in which FTS5 keeps an index; a fifth one holds settings and goes with it. */
const SHADOWS = ['data', 'idx', 'content', 'docsize'] as const;

const namesLike = (db: Db, pattern: string): string[] =>
  db
    .prepare<[string], string>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ? ORDER BY name`)
    .pluck()
    .all(pattern);

/**
 * Takes a generation out of use, to be called in the transaction that puts another in its place. Its rows stay in plain tables of
 * other names: an index cannot be emptied a little at a time and be whole all the while, and to drop a large one takes long.
 */
export function retire(db: Db, generation: Generation): void {
  const used = namesLike(db, 'lex_old_*').map(name => Number(name.split('_')[2]));
  const old = `lex_old_${Math.max(0, ...used) + 1}`;
  for (const table of TABLES) {
    for (const shadow of SHADOWS)
      db.exec(`ALTER TABLE ${generation}_${table}_${shadow} RENAME TO ${old}_${table}_${shadow}`);
    db.exec(`DROP TABLE ${generation}_${table}`);
  }
  db.exec(`ALTER TABLE ${generation}_doc RENAME TO ${old}_doc`);
}

/** SQLite keeps the tables of an index from being renamed by accident. Here it is no accident. */
export function renaming<T>(db: Db, change: () => T): T {
  db.unsafeMode(true);
  try {
    return change();
  } finally {
    db.unsafeMode(false);
  }
}

/** Removes what retired generations left, a few rows each step. */
export function* removeRetired(db: Db): Generator<void> {
  for (const name of namesLike(db, 'lex_old_*')) {
    const key = name.endsWith('_idx') ? 'segid, term' : name.endsWith('_doc') ? 'seq' : 'id';
    const some = db.prepare(`DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} LIMIT ${ROWS})`);
    while (some.run().changes > 0) yield;
    db.exec(`DROP TABLE ${name}`);
    yield;
  }
}

export const hasRetired = (db: Db): boolean => namesLike(db, 'lex_old_*').length > 0;
