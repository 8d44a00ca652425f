import Database from 'better-sqlite3';

export type Db = Database.Database;

export interface Connect {
  /** Hears every statement before it runs. */
  readonly trace?: ((sql: string) => void) | undefined;
}

/** Opens an existing file of rules for reading alone. */
export function connectToRead(path: string): Db {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  addFunctions(db);
  return db;
}

/** SQLite itself lowers ASCII letters alone. */
const addFunctions = (db: Db): void =>
  void db.function('lowered', { deterministic: true }, (value: unknown) => String(value).toLowerCase());

/**
 * Opens an existing file of rules or grants for writing. FULL: with less, a power cut could leave ops.sqlite remembering more
 * versions than a scope file has (rules-gaps 14). Without recursive triggers a REPLACE would pass the append-only triggers.
 */
export function connect(path: string, { trace }: Connect = {}): Db {
  const db = new Database(path, { fileMustExist: true, ...(trace ? { verbose: sql => trace(String(sql)) } : {}) });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('busy_timeout = 5000');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('recursive_triggers = ON');
    addFunctions(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
