import { existsSync } from 'node:fs';
import type { Db } from './connect.ts';
import { connect, type Connect } from './connect.ts';
import { migrate, newest, schemaVersion, type Migration } from './migrations/migration.ts';

/** Why a scope cannot be used (contract 4.3). All but the first two last until the server starts again. */
export type LockReason =
  | 'not-configured'
  | 'not-created'
  | 'file-missing'
  | 'unreadable'
  | 'damaged'
  | 'other-scope'
  | 'schema-newer'
  | 'versions-lost';

export interface OpenFile {
  readonly db: Db;
  readonly createdAt: string;
  readonly versionCount: number;
}

export const countVersions = (db: Db): number =>
  db.prepare('SELECT count(*) FROM rule_version').pluck().get() as number;

/**
 * Opens the file of a scope, or says why it must not be opened. Nothing is written before the file has proved to be whole,
 * this scope's and of a known schema; then pending migrations run. `remembered`: versions it had at least.
 */
export function openChecked(
  path: string,
  scope: string,
  remembered: number,
  migrations: readonly Migration[],
  options: Connect,
): OpenFile | { readonly lock: LockReason; readonly detail?: string } {
  if (!existsSync(path)) return { lock: 'file-missing' };
  let db: Db | undefined;
  try {
    db = connect(path, options);
    const lock = flaw(db, scope, migrations);
    if (lock === undefined) {
      migrate(db, migrations, () => {
        throw new Error('the file has no meta row');
      });
      const versionCount = countVersions(db);
      const createdAt = db.prepare('SELECT created_at FROM meta').pluck().get() as string;
      if (versionCount >= remembered) return { db, createdAt, versionCount };
      db.close();
      return { lock: 'versions-lost', detail: `${versionCount} of at least ${remembered}` };
    }
    db.close();
    return { lock };
  } catch (error) {
    db?.close();
    return { lock: 'unreadable', detail: error instanceof Error ? error.message : String(error) };
  }
}

function flaw(db: Db, scope: string, migrations: readonly Migration[]): LockReason | undefined {
  if (db.pragma('quick_check', { simple: true }) !== 'ok') return 'damaged';
  const version = schemaVersion(db);
  if (version > newest(migrations)) return 'schema-newer';
  const owner = version === 0 ? undefined : db.prepare('SELECT scope FROM meta').pluck().get();
  return owner === scope ? undefined : 'other-scope';
}
