import Database from 'better-sqlite3';
import { pino } from 'pino';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { project } from '../../src/pages/index.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage, type Storage } from '../../src/storage/sqlite/index.ts';
import { rmSync } from 'node:fs';
import { note, NOW, put, tempFolder, type LogLine } from './world.ts';

const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';
const daysAgo = (days: number): string => new Date(NOW.getTime() - days * 86_400_000).toISOString();
const text = (n: number): string => note('a', `Always the same line, and then one of its own: ${n}.`);

let folder: string;
let log: LogLine[];
let storage: Storage;
async function open(keepHistoryDays?: number): Promise<void> {
  storage = await openStorage({
    dataDir: join(folder, 'data'),
    project,
    lanes: fileLanes,
    clock: () => NOW,
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line) as LogLine) }),
    ...(keepHistoryDays === undefined ? {} : { keepHistoryDays }),
  });
}
async function write(pageId: string, ...days: number[]): Promise<void> {
  for (const [base, day] of days.entries()) {
    const one = put(pageId, text(base + 1), base, { committedAt: daysAgo(day) });
    expect((await storage.pages.commit({ puts: [one] })).committed).toBe(true);
  }
}
const kept = async (pageId: string): Promise<number[]> =>
  (await storage.pages.history(pageId)).map(({ version }) => version);

beforeEach(async () => {
  folder = tempFolder();
  log = [];
  await open();
  await write(A, 90, 80, 40, 20, 1);
  await write(B, 400, 300);
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

test('[DS17] nothing is dropped unless it is asked for', async () => {
  await storage.close();
  await open();
  await storage.whenDrained();
  expect(await kept(A)).toEqual([1, 2, 3, 4, 5]);
  expect(await kept(B)).toEqual([1, 2]);
});

test('[DS17] versions superseded before the cut go, what was current at the cut and what is newest stay', async () => {
  await storage.close();
  await open(30);
  await expect.poll(() => kept(A)).toEqual([3, 4, 5]);
  await expect.poll(() => kept(B)).toEqual([2]);
  expect((await storage.pages.versionAt(A, daysAgo(30)))?.content).toBe(text(3));
  expect(await storage.pages.versionAt(A, daysAgo(50))).toBeUndefined();
  for (const n of [3, 4, 5]) expect((await storage.pages.version(A, n))?.content).toBe(text(n));
  expect((await storage.pages.head(B))?.content).toBe(text(2));
  const told = log.filter(line => line['audit'] === 'history');
  expect(told).toEqual([
    expect.objectContaining({ page_id: A, before: 3, dropped: 2, cut: daysAgo(30) }),
    expect.objectContaining({ page_id: B, before: 2, dropped: 1, cut: daysAgo(30) }),
  ]);
  await write('markdown/instances/note/c.md', 2);
  expect(await storage.index.page(A)).toMatchObject({ version: 5 });
});

test('[DS17] what is stored as a delta reads back after older versions went', async () => {
  const db = new Database(join(folder, 'data', 'state.sqlite'), { readonly: true });
  const whole = db.prepare('SELECT count(*) FROM page_version WHERE delta_of IS NULL').pluck();
  await expect.poll(() => whole.get(), { timeout: 30_000 }).toBe(2);
  db.close();
  await storage.close();
  await open(30);
  await expect.poll(() => kept(A)).toEqual([3, 4, 5]);
  for (const n of [3, 4, 5]) expect((await storage.pages.version(A, n))?.content).toBe(text(n));
});
