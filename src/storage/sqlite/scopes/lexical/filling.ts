import type { Analysis } from '../../../../rules/search/lexical/index.ts';
import type { Db } from '../connect.ts';
import { VERSION_FIELDS, versionOf, type VersionRow } from '../version-rows.ts';
import { renaming, retire } from './retired.ts';
import { generationRows, type GenerationRows } from './rows.ts';

/** Rules that are read at a time: a connection cannot write while it steps through a statement. */
const READ = 20;

/** Tables that are being filled to take the place of those that are searched. */
export interface Filling {
  readonly rows: GenerationRows;
  /** Number of the last rule that is in them; writes of later ones are left to the filling. */
  upTo(): number;
  /** Share of the rules, 0 to 1. */
  progress(): number;
  /** Goes on for so many milliseconds, one rule at least. True when all rules are in. */
  step(ms: number): boolean;
  /** Puts them in the place of those that are searched, unless a rule came meanwhile. */
  swap(): boolean;
}

/** Says of the tables that are searched which build filled them. */
export const FILLED = `
  INSERT INTO lex_meta (singleton, build) VALUES (1, ?) ON CONFLICT (singleton) DO UPDATE SET build = excluded.build`;

const hasNext = (db: Db): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'lex_next_meta'`).get() !== undefined;

/** Takes tables out of use that an earlier filling left and that nobody waits for. */
export function abandonNext(db: Db): void {
  if (!hasNext(db)) return;
  renaming(db, db.transaction(() => discardNext(db)).immediate);
}

function discardNext(db: Db): void {
  retire(db, 'lex_next');
  db.exec('DROP TABLE lex_next_meta');
}

/**
 * Begins to fill tables as `analysis` reads rules, or goes on where an earlier process came to. `keepsOld`: the tables that are
 * searched stay of use meanwhile; others are not kept in step any more, so nothing may ever take them for filled.
 */
export function filling(db: Db, analysis: Analysis, keepsOld: boolean): Filling {
  renaming(
    db,
    db.transaction(() => {
      if (!keepsOld) db.exec('DELETE FROM lex_meta');
      if (hasNext(db)) {
        const build = db.prepare('SELECT build FROM lex_next_meta').pluck().get();
        if (build === analysis.build) return;
        discardNext(db);
      }
      for (const table of ['word', 'stem', 'tri', 'doc']) db.exec(asNext(definitionOf(db, `lex_${table}`)));
      db.exec(`CREATE TABLE lex_next_meta (
        singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
        build     TEXT NOT NULL,
        up_to     INTEGER NOT NULL -- number of the last rule that is in
      )`);
      db.prepare('INSERT INTO lex_next_meta (singleton, build, up_to) VALUES (1, ?, 0)').run(analysis.build);
    }).immediate,
  );

  const current = db.prepare<[after: number, limit: number], VersionRow & { seq: number }>(`
    SELECT r.seq, ${VERSION_FIELDS} FROM rule r JOIN current_version v ON v.rule_id = r.id
    WHERE r.seq > ? AND v.status <> 'rejected' ORDER BY r.seq LIMIT ?`);
  const last = db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM rule').pluck();
  const reached = db.prepare<[number]>('UPDATE lex_next_meta SET up_to = ?');
  const rows = generationRows(db, 'lex_next');
  const { trigram } = analysis.settings.features;
  let upTo = db.prepare<[], number>('SELECT up_to FROM lex_next_meta').pluck().get()!;

  const step = db.transaction((ms: number): { readonly at: number; readonly isLast: boolean } => {
    const until = performance.now() + ms;
    let at = upTo;
    for (;;) {
      const some = current.all(at, READ);
      for (const { seq, ...row } of some) {
        const version = versionOf(row);
        rows.insert(version, analysis.textsOf(version), trigram);
        at = seq;
        if (performance.now() >= until) break;
      }
      const isLast = some.length === 0;
      if (!isLast && performance.now() < until) continue;
      reached.run(at);
      return { at, isLast };
    }
  });
  const swap = db.transaction((): boolean => {
    if (current.all(upTo, 1).length > 0) return false;
    retire(db, 'lex');
    for (const table of ['word', 'stem', 'tri', 'doc']) db.exec(`ALTER TABLE lex_next_${table} RENAME TO lex_${table}`);
    db.exec('DROP TABLE lex_next_meta');
    db.prepare(FILLED).run(analysis.build);
    return true;
  });
  return {
    rows,
    upTo: () => upTo,
    progress: () => Math.min(1, upTo / Math.max(1, last.get()!)),
    step(ms) {
      const { at, isLast } = step.immediate(ms);
      upTo = at;
      return isLast;
    },
    swap: () => renaming(db, swap.immediate),
  };
}

const definitionOf = (db: Db, table: string): string =>
  db.prepare<[string], string>('SELECT sql FROM sqlite_master WHERE name = ?').pluck().get(table)!;

/** The same table for the next generation, whose name begins otherwise; SQLite may have quoted it. */
const asNext = (sql: string): string =>
  sql.replace(
    /^(CREATE (?:VIRTUAL )?TABLE )"?lex_(\w+)"?/,
    (_, create: string, name: string) => `${create}lex_next_${name}`,
  );
