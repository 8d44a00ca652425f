import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makePrivate, syncFolderNow } from '../folder/private-file.ts';
import { connect, type Connect } from './connect.ts';
import { migrate, type Migration } from './migrations/migration.ts';

/** Makes the folder of scope files, 0700, if absent. */
export function makeScopesFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolderNow(dirname(folder));
}

/**
 * Makes a scope file beside its place and moves it there whole, so that a crash leaves all of it or none. What an earlier
 * attempt left behind is removed. The caller has made sure that there is no such file yet.
 */
export function createScopeFile(
  path: string,
  scope: string,
  createdAt: string,
  migrations: readonly Migration[],
  options: Connect,
): void {
  const unfinished = `.creating-${basename(path)}`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(unfinished)) rmSync(join(dirname(path), name), { force: true });
  }
  const draft = join(dirname(path), unfinished);
  makePrivate(draft);
  const db = connect(draft, options);
  try {
    migrate(db, migrations, version => {
      db.prepare('INSERT INTO meta (singleton, scope, schema_version, created_at) VALUES (1, ?, ?, ?)').run(
        scope,
        version,
        createdAt,
      );
    });
  } finally {
    db.close();
  }
  renameSync(draft, path);
  syncFolderNow(dirname(path));
}
