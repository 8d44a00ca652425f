import Database from 'better-sqlite3';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Step } from '../../src/storage/sqlite/index.ts';
import { note, openWorld, put, tempFolder, type World } from './world.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = tempFolder();
  dataDir = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';
const file = (path: string): string => join(dataDir, path);
const read = (path: string): string => readFileSync(file(path), 'utf8');
const versions = async ({ storage }: World, pageId: string): Promise<number> =>
  (await storage.pages.head(pageId))?.version ?? 0;

test('[DS60] every committed page has its file, byte for byte', async () => {
  const world = await openWorld({}, dataDir);
  const texts: [string, string, string][] = [
    [A, A, note('a', 'text')],
    ['markdown/ä ö/日本/😀.md', 'markdown/ä ö/日本/😀.md', '\uFEFFx\r\ny'],
    ['state.sqlite', 'other/state.sqlite', 'no database'],
    ['tmp/x', 'other/tmp/x', ''],
    ['markdown/.hidden/x', 'markdown/.hidden/x', 'x'],
    ['.git', 'other/.git', 'x'],
  ];
  await world.storage.pages.commit({ puts: texts.map(([pageId, , text]) => put(pageId, text)) });
  await world.storage.whenDrained();
  for (const [, path, text] of texts) expect(read(path)).toBe(text);
  const again = await world.reopen();
  await again.storage.whenDrained();
  for (const [pageId] of texts) expect(await versions(again, pageId)).toBe(1);
  await again.storage.close();
});

test('[DS61] a page written often is published in its newest version', async () => {
  const renames: Step[] = [];
  const step = (name: Step): void => void (name === 'publish.rename' && renames.push(name));
  const world = await openWorld({ step }, dataDir);
  for (let n = 0; n < 30; n++) await world.storage.pages.commit({ puts: [put(A, note('a', `text ${n}`), n)] });
  await world.storage.whenDrained();
  expect(read(A)).toBe(note('a', 'text 29'));
  expect(renames.length).toBeGreaterThan(0);
  expect(renames.length).toBeLessThan(30);
  await world.storage.close();
});

test('[DS62] publishing everything once more changes nothing and is no outside edit', async () => {
  const world = await openWorld({}, dataDir);
  for (let n = 0; n < 3; n++) await world.storage.pages.commit({ puts: [put(A, note('a', `text ${n}`), n)] });
  await world.storage.whenDrained();
  await world.storage.close();
  const losses = [
    `UPDATE outbox_cursor SET seq = 0`,
    `DELETE FROM published`,
    `UPDATE published SET version = 1, sha256 = 'x', mtime_ms = 0`,
  ];
  for (const loss of losses) {
    const state = new Database(file('state.sqlite'));
    state.exec(loss);
    state.close();
    const again = await openWorld({}, dataDir);
    await again.storage.whenDrained();
    expect(await versions(again, A)).toBe(3);
    expect(read(A)).toBe(note('a', 'text 2'));
    expect(await again.storage.reconcile()).toMatchObject({ edited: 0, created: 0, restored: 0, skipped: 0 });
    await again.storage.close();
  }
});

test('[DS62] a file of a version between the recorded and the newest one is our own', async () => {
  const world = await openWorld({}, dataDir);
  await world.storage.pages.commit({ puts: [put(A, note('a', 'one'), 0)] });
  await world.storage.whenDrained();
  await world.storage.pages.commit({ puts: [put(A, note('a', 'two'), 1)] });
  await world.storage.pages.commit({ puts: [put(A, note('a', 'three'), 2)] });
  await world.storage.close();
  // As after a power cut that took the record but not the file: version 1 recorded, version 2 in the folder.
  const state = new Database(file('state.sqlite'));
  state.exec(`UPDATE published SET version = 1, sha256 = (SELECT sha256 FROM page_version WHERE version = 1)`);
  state.exec('UPDATE outbox_cursor SET seq = 1');
  state.close();
  writeFileSync(file(A), note('a', 'two'));
  const again = await openWorld({}, dataDir);
  await again.storage.whenDrained();
  expect(read(A)).toBe(note('a', 'three'));
  expect(await versions(again, A)).toBe(3);
  await again.storage.close();
});

test('[DS63] a page that can have no file is logged and holds up no other', async () => {
  mkdirSync(file('markdown/instances/note'), { recursive: true });
  writeFileSync(file('markdown/instances/taken'), 'a file where a folder belongs');
  mkdirSync(file(A));
  const world = await openWorld({}, dataDir);
  const blocked = 'markdown/instances/taken/x.md';
  for (const pageId of [A, blocked, B]) await world.storage.pages.commit({ puts: [put(pageId, note('x', 'text'))] });
  await world.storage.whenDrained();
  expect(read(B)).toBe(note('x', 'text'));
  const named = world.log.filter(line => line.level === 50).map(line => line.page_id);
  expect(new Set(named)).toEqual(new Set([A, blocked]));
  expect(world.storage.lanes.up()).toBe(true);
  expect(await versions(world, A)).toBe(1);
  rmSync(file(A), { recursive: true });
  const again = await world.reopen();
  await again.storage.whenDrained();
  expect(read(A)).toBe(note('x', 'text'));
  await again.storage.close();
});

test('[DS63] a lane that fails is tried again', async () => {
  let failing = true;
  const world = await openWorld(
    {
      step: name => {
        if (name === 'publish.fsync' && failing) throw new Error('planted');
      },
    },
    dataDir,
  );
  await world.storage.pages.commit({ puts: [put(A, note('a', 'text'))] });
  await expect.poll(() => world.storage.lanes.up()).toBe(false);
  expect(existsSync(file(A))).toBe(false);
  expect(await world.storage.index.page(A)).toMatchObject({ version: 1 });
  failing = false;
  await world.storage.whenDrained();
  expect(world.storage.lanes.up()).toBe(true);
  expect(read(A)).toBe(note('a', 'text'));
  await world.storage.close();
});

test('[DS64] a file that somebody changed before it is published again becomes a version first', async () => {
  const world = await openWorld({}, dataDir);
  await world.storage.pages.commit({ puts: [put(A, note('a', 'one'))] });
  await world.storage.whenDrained();
  writeFileSync(file(A), note('a', 'by hand'));
  await world.storage.pages.commit({ puts: [put(A, note('a', 'two'), 1)] });
  await world.storage.whenDrained();
  expect(await world.storage.pages.version(A, 2)).toMatchObject({ content: note('a', 'two') });
  expect(await world.storage.pages.version(A, 3)).toMatchObject({
    content: note('a', 'by hand'),
    author: 'external',
    origin: 'external',
  });
  expect(await versions(world, A)).toBe(3);
  expect(read(A)).toBe(note('a', 'by hand'));
  expect(await world.storage.index.page(A)).toMatchObject({ version: 3, lastWrittenBy: 'external' });
  await world.storage.close();
});

test('[DS64] a file that was there before its page is not lost either', async () => {
  mkdirSync(file('markdown/instances/note'), { recursive: true });
  const world = await openWorld({}, dataDir);
  await world.storage.whenDrained();
  writeFileSync(file(A), note('a', 'by hand'));
  await world.storage.pages.commit({ puts: [put(A, note('a', 'by agent'))] });
  await world.storage.whenDrained();
  expect(await world.storage.pages.version(A, 1)).toMatchObject({ content: note('a', 'by agent') });
  expect(await world.storage.pages.version(A, 2)).toMatchObject({ content: note('a', 'by hand') });
  await world.storage.close();
});

test('[DS64] a file that is not UTF-8 is left alone', async () => {
  const world = await openWorld({}, dataDir);
  await world.storage.pages.commit({ puts: [put(A, note('a', 'one'))] });
  await world.storage.whenDrained();
  writeFileSync(file(A), Buffer.from([0xff, 0xfe, 0x00]));
  await world.storage.pages.commit({ puts: [put(A, note('a', 'two'), 1)] });
  await world.storage.whenDrained();
  expect(readFileSync(file(A))).toEqual(Buffer.from([0xff, 0xfe, 0x00]));
  expect(await versions(world, A)).toBe(2);
  expect(world.log.some(line => line.reason === 'not UTF-8')).toBe(true);
  await world.storage.close();
});

test('[DS62] a new time on the same bytes is no edit', async () => {
  const world = await openWorld({}, dataDir);
  await world.storage.pages.commit({ puts: [put(A, note('a', 'one'))] });
  await world.storage.whenDrained();
  utimesSync(file(A), 1, 1);
  chmodSync(file(A), 0o644);
  expect(await world.storage.reconcile()).toMatchObject({ files: 1, edited: 0, skipped: 0 });
  await world.storage.pages.commit({ puts: [put(A, note('a', 'two'), 1)] });
  await world.storage.whenDrained();
  expect(await versions(world, A)).toBe(2);
  expect(read(A)).toBe(note('a', 'two'));
  expect(statSync(file(A)).mode & 0o777).toBe(0o600);
  await world.storage.close();
});
