import Database from 'better-sqlite3';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openOpsFile } from '../../src/storage/sqlite/ops-file/open.ts';
import { scopeMemory } from '../../src/storage/sqlite/ops-file/scope-memory.ts';
import { scopeFiles, type ScopeFiles } from '../../src/storage/sqlite/scopes/files.ts';
import { SCOPE_MIGRATIONS } from '../../src/storage/sqlite/scopes/migrations/list.ts';
import type { Migration } from '../../src/storage/sqlite/scopes/migrations/migration.ts';
import { confirmed, refusal, stocked, world, type World } from './world.ts';

const open: World[] = [];
const made = <T extends World>(here: T): T => (open.push(here), here);
afterEach(() => open.splice(0).forEach(here => here.remove()));

/** The same folder after a restart. */
function again(here: World, change: () => void = () => {}): World {
  here.close();
  change();
  const next = world({ folder: here.folder });
  open[open.indexOf(here)] = next;
  return next;
}
const fileOf = (here: World, scope = 'sales'): string => join(here.folder, 'scopes', `${scope}.sqlite`);
const edit = (path: string, sql: string): void => {
  const db = new Database(path);
  db.exec(sql);
  db.close();
};
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('[RU1] a scope file and its companions are for the owner alone', async () => {
  const umask = process.umask(0);
  const here = made(await stocked());
  process.umask(umask);
  expect(mode(join(here.folder, 'scopes'))).toBe('700');
  for (const name of readdirSync(join(here.folder, 'scopes')))
    expect(mode(join(here.folder, 'scopes', name))).toBe('600');
  for (const name of ['ops.sqlite', 'ops.sqlite-wal']) expect(mode(join(here.folder, name))).toBe('600');
  expect(readdirSync(join(here.folder, 'scopes')).filter(name => name.endsWith('.sqlite'))).toHaveLength(2);
});

test('[RU1] an unfinished file is no scope, and making it again removes it', () => {
  const here = made(world());
  writeFileSync(join(here.folder, 'scopes', '.creating-sales.sqlite'), 'half');
  writeFileSync(join(here.folder, 'scopes', '.creating-sales.sqlite-wal'), 'half');
  expect(here.files.state('sales')).toEqual({ created: false, lock: 'not-created' });
  expect(here.files.create('sales')).toBe('created');
  expect(here.files.create('sales')).toBe('exists');
  expect(readdirSync(join(here.folder, 'scopes')).filter(name => name.startsWith('.'))).toEqual([]);
});

test('[RU4] both kinds of file sync every commit', async () => {
  const here = made(await stocked());
  for (const db of [here.files.open('sales'), here.ops]) {
    const settings = ['synchronous', 'journal_mode', 'foreign_keys', 'recursive_triggers', 'busy_timeout'];
    expect(settings.map(name => db.pragma(name, { simple: true }))).toEqual([2, 'wal', 1, 1, 5000]);
  }
});

test('[RU5] each migration is one transaction, and a file of a newer schema is left as it is', async () => {
  const here = made(await stocked());
  const second: Migration = { version: 6, up: db => void db.exec('CREATE TABLE extra (a)') };
  const third: Migration = { version: 7, up: db => void db.exec('CREATE TABLE more (a); SELECT nothing()') };
  const folder = join(here.folder, 'scopes');
  const { memory, clock } = here;
  here.files.close();
  const reports: string[] = [];
  const under = (...migrations: Migration[]): ScopeFiles =>
    scopeFiles({
      folder,
      configured: ['sales'],
      memory,
      clock,
      migrations,
      report: (_, { reason }) => reports.push(reason!),
    });
  const failing = under(...SCOPE_MIGRATIONS, second, third);
  expect(failing.state('sales').lock).toBe('unreadable');
  const after = under(...SCOPE_MIGRATIONS, second);
  const db = after.open('sales');
  expect(db.prepare('SELECT schema_version FROM meta').pluck().get()).toBe(6);
  expect(db.prepare(`SELECT name FROM sqlite_master WHERE name IN ('extra', 'more')`).pluck().all()).toEqual(['extra']);
  after.close();
  const older = under(...SCOPE_MIGRATIONS);
  expect(older.state('sales')).toEqual({ created: true, lock: 'schema-newer' });
  expect(reports).toEqual(['unreadable', 'schema-newer']);
  older.close();
  edit(fileOf(here), 'ALTER TABLE extra ADD COLUMN b');
});

test('[RU5] an ops file of a newer schema refuses the start', () => {
  const here = made(world());
  here.close();
  edit(join(here.folder, 'ops.sqlite'), 'UPDATE meta SET schema_version = 99');
  expect(() => openOpsFile(join(here.folder, 'ops.sqlite'), { clock: here.clock })).toThrow(/schema-too-new/);
});

const LOCKS: readonly (readonly [reason: string, spoil: (path: string, here: World) => void])[] = [
  ['file-missing', path => rmSync(path)],
  [
    'unreadable',
    path => writeFileSync(path, 'no database at all, only some text of more than a hundred characters'.repeat(20)),
  ],
  ['other-scope', (path, here) => copyFileSync(fileOf(here, 'legal'), path)],
  ['schema-newer', path => edit(path, 'UPDATE meta SET schema_version = 99')],
  ['other-scope', path => edit(path, 'DROP TRIGGER meta_no_delete; DELETE FROM meta')],
  [
    'versions-lost',
    path =>
      edit(
        path,
        'PRAGMA foreign_keys = 0; DROP TRIGGER rule_version_no_delete; DELETE FROM rule_version WHERE version = 2',
      ),
  ],
];

test.each(LOCKS)('[RU6, RU7] a spoiled file is locked: %s', async (reason, spoil) => {
  const before = made(await stocked());
  await confirmed(before);
  const here = again(before, () => spoil(fileOf(before), before));
  expect(await refusal(here.do('searchRules', { scopes: ['sales'], text: 'hook' }))).toEqual({ code: 'scope-locked' });
  expect(here.files.state('sales')).toEqual({ created: true, lock: reason });
  expect(here.reports.map(({ event, fields }) => [event, fields['scope'], fields['reason']])).toEqual([
    ['scope.locked', 'sales', reason],
  ]);
  expect((await here.do('searchRules', { scopes: ['legal'], text: 'hook' })).bundles).toEqual([]);
});

test('[RU6] a damaged page is noticed at opening', async () => {
  const before = made(await stocked());
  await confirmed(before);
  const here = again(before, () => {
    const db = new Database(fileOf(before));
    const page = db.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'rule_version'`).pluck().get() as number;
    db.close();
    const bytes = readFileSync(fileOf(before));
    writeFileSync(fileOf(before), bytes.fill(0xff, 4096 * (page - 1) + 8, 4096 * page));
  });
  expect(here.files.state('sales').lock).toBe('damaged');
});

test('[RU7] a lost file is not made anew, and comes back only with the next start', async () => {
  const before = made(await stocked());
  const kept = join(before.folder, 'kept');
  before.files.close();
  copyFileSync(fileOf(before), kept);
  const here = again(before, () => rmSync(fileOf(before)));
  expect(here.files.create('sales')).toBe('locked');
  expect(existsSync(fileOf(here))).toBe(false);
  copyFileSync(kept, fileOf(here));
  expect(here.files.state('sales').lock).toBe('file-missing');
  expect(again(here).files.state('sales')).toEqual({ created: true, lock: null });
});

test('[RU7] a scope that was never made opens as soon as it is made; one that is not configured cannot be', async () => {
  const here = made(world());
  expect(await refusal(here.do('searchRules', { scopes: ['sales'], text: 'hook' }))).toEqual({ code: 'scope-locked' });
  here.files.create('sales');
  expect((await here.do('searchRules', { scopes: ['sales'], text: 'hook' })).http).toBe(200);
  expect(here.files.state('other')).toEqual({ created: false, lock: 'not-configured' });
  expect(() => here.files.create('other')).toThrow(/not configured/);
});

test('[RU8] versions are counted after every write and at every opening', async () => {
  const before = made(await stocked());
  expect(before.memory.of('sales')?.versionCount).toBe(0);
  await confirmed(before);
  expect(before.memory.of('sales')?.versionCount).toBe(2);
  before.ops.exec('DROP TRIGGER backup_state_monotonic; UPDATE backup_state SET version_count = 1');
  const here = again(before);
  here.files.open('sales');
  expect(here.memory.of('sales')?.versionCount).toBe(2);
  here.memory.remember('sales', { createdAt: '2026-01-01T00:00:00.000Z', versionCount: 1 }, here.clock());
  expect(here.memory.of('sales')?.versionCount).toBe(2);
});

test('[RU8] a count that cannot be written is reported and does not undo the write', async () => {
  const here = made(await stocked());
  here.ops.exec(`CREATE TRIGGER full BEFORE UPDATE ON backup_state BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  const id = await confirmed(here);
  expect((await here.do('readRule', { ref: `rule/${id}` })).head.status).toBe('confirmed');
  expect(here.reports.map(({ event }) => event)).toEqual(['scope.not-counted', 'scope.not-counted']);
});

test('[RU8] ops.sqlite that was lost learns the counts of the files again', async () => {
  const before = made(await stocked());
  await confirmed(before);
  const here = again(before, () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(before.folder, `ops.sqlite${end}`), { force: true });
  });
  here.files.open('sales');
  expect(here.memory.of('sales')).toEqual({ createdAt: '2026-03-12T10:00:00.000Z', versionCount: 2 });
});

test('[RU1] a folder of scopes that is there already is used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-rules-'));
  const clock = (): Date => new Date(0);
  const ops = openOpsFile(join(folder, 'ops.sqlite'), { clock });
  const files = scopeFiles({ folder, configured: ['sales'], memory: scopeMemory(ops), clock, report: () => {} });
  expect(files.create('sales')).toBe('created');
  files.close();
  ops.close();
  rmSync(folder, { recursive: true });
});
