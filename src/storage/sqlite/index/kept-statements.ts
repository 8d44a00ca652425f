import type { Statement } from 'better-sqlite3';
import type { Db } from '../database.ts';

const KEPT = 200;

/** Prepares each SQL text once and keeps those used last. */
export function keptStatements<Row>(
  db: Db,
  prepare: (db: Db, sql: string) => Statement<unknown[], Row> = plain,
): (sql: string) => Statement<unknown[], Row> {
  const kept = new Map<string, Statement<unknown[], Row>>();
  return sql => {
    const statement = kept.get(sql) ?? prepare(db, sql);
    kept.delete(sql);
    kept.set(sql, statement);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
    return statement;
  };
}

const plain = <Row>(db: Db, sql: string): Statement<unknown[], Row> => db.prepare<unknown[], Row>(sql);
