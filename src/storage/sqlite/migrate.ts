import type { Db } from './database.ts';
import { StorageRefusal } from './folder/refusal.ts';

/**
 * Brings a schema to the newest version, each step in one transaction with its number. Throws StorageRefusal
 * `schema-too-new` for a file that a newer Cairn wrote, before anything is changed.
 */
export function migrate(db: Db, name: string, migrations: readonly string[]): void {
  const found = schemaVersion(db);
  if (found > migrations.length) {
    const reason = `${name} has schema ${found}, this Cairn knows up to ${migrations.length}: use a newer one`;
    throw new StorageRefusal('schema-too-new', reason);
  }
  for (const [done, sql] of migrations.entries()) {
    if (done < found) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${done + 1}`);
    }).immediate();
  }
}

export const schemaVersion = (db: Db): number => db.pragma('user_version', { simple: true }) as number;
