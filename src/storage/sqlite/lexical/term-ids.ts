import type { Db } from '../database.ts';

/** Looks up the id of a key, which is made when it is new; from 1 on. */
export function termIds(db: Db): (term: string) => number {
  const find = db.prepare<[string], number>('SELECT term_id FROM term WHERE term = ?').pluck();
  const insert = db.prepare<[string]>('INSERT INTO term (term, docs) VALUES (?, 0)');
  return term => find.get(term) ?? Number(insert.run(term).lastInsertRowid);
}
