import Database from 'better-sqlite3';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { makePrivate, makePrivateIfThere } from './private-file.ts';
import { StorageRefusal } from './refusal.ts';

const PATIENCE_MS = 1000;
const PAUSE_MS = 20;

/**
 * Makes this process the only one on the folder, until `release` or its end. The lock is the operating system's: SQLite
 * holds it on `lock.sqlite`, so it dies with the process and cannot go stale. `lock.json` only says who holds it.
 * Nothing else in this process may open and close `lock.sqlite`: closing any handle of a file drops POSIX locks on it.
 */
export function lockFolder(path: string, clock: Clock): { release(): void } {
  const file = join(path, 'lock.sqlite');
  makePrivate(file);
  const db = new Database(file, { timeout: 0 });
  for (const deadline = Date.now() + PATIENCE_MS; !tryLock(db, path); pause()) {
    // A holder that ended is gone the moment its lock is; one that just started may not have written its pid yet.
    const pid = holder(path);
    if (pid === null && Date.now() < deadline) continue;
    db.close();
    throw new StorageRefusal('data-folder-locked', `${path} is in use by process ${pid ?? '(unknown)'}`, pid);
  }
  const note = join(path, 'lock.json');
  const fresh = join(path, 'lock.json.new');
  writeFileSync(fresh, JSON.stringify({ pid: process.pid, since: clock().toISOString() }), { mode: 0o600 });
  makePrivateIfThere(fresh);
  renameSync(fresh, note);
  return { release: () => void db.close() };
}

function tryLock(db: Database.Database, path: string): boolean {
  try {
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    db.close();
    throw new StorageRefusal('data-folder-unusable', `${path} cannot be locked: ${String(error)}`);
  }
}

/** The pid in the note, if that process is alive: the note of a dead one is left over. */
function holder(path: string): number | null {
  try {
    const { pid } = JSON.parse(readFileSync(join(path, 'lock.json'), 'utf8')) as { pid?: unknown };
    return typeof pid === 'number' && isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
