import type { Db } from '../connect.ts';

/** One step of a file's schema. `up` runs inside a transaction of its own, with the number it leads to. */
export interface Migration {
  readonly version: number;
  up(db: Db): void;
}

export const newest = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

/** The number of the last step a file has seen; 0 for an empty one. */
export function schemaVersion(db: Db): number {
  const meta = db.prepare(`SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'meta'`).pluck().get();
  if (meta === 0) return 0;
  return (db.prepare('SELECT max(schema_version) FROM meta').pluck().get() as number | null) ?? 0;
}

/** Takes every step a file has not seen, each in one transaction. `first` fills the row of meta, which the first step makes. */
export function migrate(db: Db, migrations: readonly Migration[], first: (version: number) => void): void {
  const found = schemaVersion(db);
  for (const migration of migrations) {
    if (migration.version <= found) continue;
    db.transaction(() => {
      migration.up(db);
      const moved = db.prepare('UPDATE meta SET schema_version = ?').run(migration.version);
      if (moved.changes === 0) first(migration.version);
    }).immediate();
  }
}
