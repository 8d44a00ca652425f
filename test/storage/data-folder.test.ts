import Database from 'better-sqlite3';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { STEPS, StorageRefusal } from '../../src/storage/sqlite/index.ts';
import { startChild } from './child.ts';
import { note, openWorld, put, tempFolder } from './world.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = tempFolder();
  dataDir = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PAGE = 'markdown/instances/note/a.md';

function modes(path = dataDir): Record<string, string> {
  const all: Record<string, string> = {};
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    all[file] = (entry.isDirectory() ? 'd' : '-') + (statSync(file).mode & 0o777).toString(8);
  }
  return all;
}

async function refusalOf(opening: Promise<unknown>): Promise<StorageRefusal> {
  const error = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StorageRefusal)) throw new Error(`no refusal but ${String(error)}`);
  return error;
}

test.each(['0000', '0022', '0277', '0777'])('[DS50] under umask %s all is for the owner alone', async umask => {
  const child = startChild(
    'storage/creates.child.ts',
    [dataDir, 'x', 'hold'],
    ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh'],
  );
  await child.line('done');
  try {
    await expect.poll(() => readdirSync(join(dataDir, 'markdown/instances/note')).length).toBe(20);
    const found = modes();
    const beside = ['state', 'index', 'vectors'].flatMap(name => [
      join(dataDir, `${name}.sqlite-shm`),
      join(dataDir, `${name}.sqlite-wal`),
    ]);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(beside));
    expect([...new Set(Object.values(found))].sort()).toEqual(['-600', 'd700']);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  } finally {
    child.process.kill('SIGKILL');
    await child.ended();
  }
});

test('[DS50] a folder and databases that others could read are closed to them', async () => {
  await (await openWorld({}, dataDir)).storage.close();
  chmodSync(dataDir, 0o755);
  for (const name of ['state.sqlite', 'index.sqlite', 'lock.sqlite']) chmodSync(join(dataDir, name), 0o644);
  for (const name of ['state.sqlite-wal', 'index.sqlite-shm']) writeFileSync(join(dataDir, name), '', { mode: 0o666 });
  const world = await openWorld({}, dataDir);
  await world.storage.whenDrained();
  expect(new Set(Object.values(modes()))).toEqual(new Set(['-600', 'd700']));
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  await world.storage.close();
});

test('[DS51] a second opening is refused with the pid of the first, and the first goes on', async () => {
  const world = await openWorld({}, dataDir);
  const refusal = await refusalOf(openWorld({}, dataDir));
  expect(refusal).toMatchObject({ code: 'data-folder-locked', pid: process.pid });
  expect(refusal.message).toMatch(new RegExp(`^data-folder-locked: .* ${process.pid}$`));
  expect((await world.storage.pages.commit({ puts: [put(PAGE, 'x')] })).committed).toBe(true);
  await world.storage.close();
  await (await openWorld({}, dataDir)).storage.close();
});

test('[DS51] C02 C04: two processes with 20 pages each lose none', async () => {
  const children = ['left', 'right'].map(name => startChild('storage/creates.child.ts', [dataDir, name]));
  expect(await Promise.all(children.map(child => child.ended()))).toEqual([0, 0]);
  const acknowledged = children.flatMap(child => child.lines).filter(line => line.startsWith('acknowledged '));
  expect(acknowledged).toHaveLength(40);
  const world = await openWorld({}, dataDir);
  for (const line of acknowledged) expect(await world.storage.pages.head(line.split(' ')[1]!)).toBeDefined();
  await world.end();
});

test('[DS51] while one process works another is told its pid; a killed one leaves no lock', async () => {
  const holder = startChild('storage/creates.child.ts', [dataDir, 'x', 'hold']);
  await holder.line('done');
  const second = startChild('storage/creates.child.ts', [dataDir, 'y']);
  expect(await second.line('refused')).toBe(`refused data-folder-locked ${holder.process.pid}`);
  holder.process.kill('SIGKILL');
  await holder.ended();
  expect(await second.ended()).toBe(0);
  expect(second.lines.filter(line => line.startsWith('acknowledged '))).toHaveLength(20);
});

test('[DS51] a note of a process that is gone, or of none, does not matter', async () => {
  mkdirSync(dataDir);
  for (const text of ['{"pid":4194304000}', '{"pid":1}', 'rubbish', '']) {
    writeFileSync(join(dataDir, 'lock.json'), text);
    await (await openWorld({}, dataDir)).storage.close();
    expect(JSON.parse(readFileSync(join(dataDir, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid });
  }
});

test('[DS51] a folder that cannot be one is unusable', async () => {
  writeFileSync(dataDir, 'a file');
  expect(await refusalOf(openWorld({}, dataDir))).toMatchObject({ code: 'data-folder-unusable', pid: null });
  expect(await refusalOf(openWorld({}, join(dataDir, 'below')))).toMatchObject({ code: 'data-folder-unusable' });
  rmSync(dataDir);
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'lock.sqlite'), 'no database at all, but long enough to be looked at'.repeat(20));
  expect(await refusalOf(openWorld({}, dataDir))).toMatchObject({ code: 'data-folder-unusable' });
});

test('[DS51] a page store that is no database makes the folder unusable and is left alone', async () => {
  await (await openWorld({}, dataDir)).storage.close();
  const rubbish = 'no database at all '.repeat(500);
  writeFileSync(join(dataDir, 'state.sqlite'), rubbish);
  expect(await refusalOf(openWorld({}, dataDir))).toMatchObject({ code: 'data-folder-unusable' });
  expect(readFileSync(join(dataDir, 'state.sqlite'), 'utf8')).toBe(rubbish);
});

test('[DS52] a newer schema is refused, untouched, and frees the folder', async () => {
  const world = await openWorld({}, dataDir);
  await world.storage.pages.commit({ puts: [put(PAGE, note('a', 'text'))] });
  await world.storage.close();
  const file = join(dataDir, 'state.sqlite');
  const version = setVersion(file, 99);
  const before = readFileSync(file);
  const refusal = await refusalOf(openWorld({}, dataDir));
  expect(refusal.code).toBe('schema-too-new');
  expect(refusal.message).toMatch(/^schema-too-new: state\.sqlite has schema 99/);
  expect(readFileSync(file).equals(before)).toBe(true);
  setVersion(file, version);
  const again = await openWorld({}, dataDir);
  expect(await again.storage.pages.head(PAGE)).toMatchObject({ version: 1 });
  await again.storage.close();
});

test('[DS80] every step of a write is reached', async () => {
  const seen = new Set<string>();
  const world = await openWorld({ step: step => void seen.add(step) }, dataDir);
  await world.storage.pages.commit({ puts: [put(PAGE, note('a', 'text'))] });
  await world.storage.whenDrained();
  await world.storage.close();
  expect([...seen].sort()).toEqual([...STEPS].sort());
});

/** Answers the version there was. */
function setVersion(file: string, version: number): number {
  const db = new Database(file);
  const before = db.pragma('user_version', { simple: true }) as number;
  db.pragma(`user_version = ${version}`);
  db.close();
  return before;
}
