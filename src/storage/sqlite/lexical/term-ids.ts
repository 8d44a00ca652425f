import type { Db } from '../database.ts';

const REMEMBERED = 200_000;

export interface TermIds {
  /** Id of a key, made when it is new. */
  idFor(term: string): number;
  /** After a transaction was rolled back. */
  forget(): void;
}

export function termIds(db: Db): TermIds {
  const find = db.prepare<[string], number>('SELECT term_id FROM term WHERE term = ?').pluck();
  const insert = db.prepare<[string]>('INSERT INTO term (term, docs) VALUES (?, 0)');
  const known = new Map<string, number>();
  return {
    idFor(term) {
      let id = known.get(term);
      if (id === undefined) {
        if (known.size >= REMEMBERED) known.clear();
        id = find.get(term) ?? Number(insert.run(term).lastInsertRowid);
        known.set(term, id);
      }
      return id;
    },
    forget: () => known.clear(),
  };
}
