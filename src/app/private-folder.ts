import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '../kernel/start-refusal.ts';

const DATABASE = /\.sqlite(-wal|-shm|-journal)?$/;
const FOR_OTHERS = 0o077;

/**
 * Refuses with `data-dir-permissions` when others than its owner can get at the data folder, the folder of scopes or a database
 * in them, naming each and what to do (rules contract 3). What is not there yet is fine.
 */
export function requirePrivate(dataDir: string): void {
  const open = [dataDir, join(dataDir, 'scopes')].flatMap(folder => [
    ...openPath(folder, '700'),
    ...databasesIn(folder).flatMap(path => openPath(path, '600')),
  ]);
  if (open.length > 0) throw new StartRefusal('data-dir-permissions', `others can get at it: ${open.join('; ')}`);
}

function openPath(path: string, mode: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && (found.mode & FOR_OTHERS) !== 0 ? [`chmod ${mode} ${path}`] : [];
}

function databasesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter(name => DATABASE.test(name))
    .map(name => join(folder, name));
}
