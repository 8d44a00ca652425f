import { dirname } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { makePrivate, syncFolderNow } from '../folder/private-file.ts';
import { StorageRefusal } from '../folder/refusal.ts';
import { connect, type Connect, type Db } from '../scopes/connect.ts';
import { migrate, newest, schemaVersion } from '../scopes/migrations/migration.ts';
import { OPS_MIGRATIONS } from './migrations/list.ts';

/**
 * Opens ops.sqlite, 0600, made if absent, at the newest schema. Throws StorageRefusal `schema-too-new` for a file of a
 * newer version, before anything in it is changed.
 */
export function openOpsFile(path: string, { clock, ...options }: { readonly clock: Clock } & Connect): Db {
  makePrivate(path);
  syncFolderNow(dirname(path));
  const db = connect(path, options);
  try {
    const [found, known] = [schemaVersion(db), newest(OPS_MIGRATIONS)];
    if (found > known) {
      throw new StorageRefusal(
        'schema-too-new',
        `${path} has schema ${found}, this Cairn knows up to ${known}: use a newer one`,
      );
    }
    migrate(db, OPS_MIGRATIONS, version => {
      db.prepare('INSERT INTO meta (singleton, schema_version, created_at) VALUES (1, ?, ?)').run(
        version,
        clock().toISOString(),
      );
    });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
