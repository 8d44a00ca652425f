import Database from 'better-sqlite3';

export type Db = Database.Database;

export interface Connect {
  /** Hears every statement before it runs. */
  readonly trace?: ((sql: string) => void) | undefined;
}

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
    // SQLite itself lowers ASCII letters alone.
    db.function('lowered', { deterministic: true }, (value: unknown) => String(value).toLowerCase());
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
