import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PageStore } from '../../src/pages/ports.ts';
import { note, NOW, openWorld, put, type World } from './world.ts';

const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';
const LINES = Array.from({ length: 400 }, (_, n) => `Line ${n} of a page that nobody would want to store twice.`);
/** The text of version n: each changes another line. */
const text = (n: number): string =>
  note('a', LINES.map((line, at) => (at % 50 === n % 50 ? `${line} Changed in ${n}.` : line)).join('\n'));

let w: World;
beforeEach(async () => {
  w = await openWorld();
});
afterEach(() => w.end());

function state<T>(look: (db: Database.Database) => T, readonly = true): T {
  const db = new Database(join(w.dataDir, 'state.sqlite'), { readonly });
  try {
    return look(db);
  } finally {
    db.close();
  }
}
const count = (sql: string): number => state(db => db.prepare<[], number>(sql).pluck().get()!);
/** Waits until every commit was looked at. */
const compacted = () =>
  expect
    .poll(() => count('SELECT (SELECT max(seq) FROM page_version) - (SELECT seq FROM compaction)'), { timeout: 30_000 })
    .toBe(0);

async function write(pages: PageStore, from: number, to: number, pageId = A): Promise<void> {
  for (let n = from; n <= to; n++) {
    expect((await pages.commit({ puts: [put(pageId, text(n), n - 1)] })).committed).toBe(true);
  }
}
async function expectTexts(pages: PageStore, pageId: string, to: number): Promise<void> {
  for (let n = 1; n <= to; n++) expect((await pages.version(pageId, n))?.content).toBe(text(n));
}

test('[DS15] superseded versions take what changed, and every one reads back', async () => {
  await write(w.storage.pages, 1, 85);
  await compacted();
  await expectTexts(w.storage.pages, A, 85);
  expect((await w.storage.pages.versionAt(A, NOW.toISOString()))?.content).toBe(text(85));
  expect(count('SELECT count(*) FROM page_version WHERE delta_of IS NULL')).toBe(1);
  const stored = count('SELECT sum(length(content)) FROM page_version WHERE delta_of IS NOT NULL');
  expect(stored / 84).toBeLessThan(text(1).length / 10);
  w = await w.reopen();
  await expectTexts(w.storage.pages, A, 85);
  expect(await w.storage.index.page(A)).toMatchObject({ version: 85 });
});

test('[DS15] chains stay short', async () => {
  await write(w.storage.pages, 1, 100);
  await compacted();
  const longest = count(`WITH RECURSIVE chain (seq, of, depth) AS (
    SELECT seq, delta_of, 0 FROM page_version
    UNION ALL SELECT c.seq, v.delta_of, c.depth + 1 FROM chain c JOIN page_version v ON v.seq = c.of)
    SELECT max(depth) FROM chain`);
  expect(longest).toBeGreaterThan(10);
  expect(longest).toBeLessThanOrEqual(45);
});

test('[DS15] moved, archived and purged pages keep or lose their past as before', async () => {
  const { pages } = w.storage;
  await write(pages, 1, 20);
  await compacted();
  await pages.commit({ puts: [put(B, note('b', 'older'), 0, { archive: true })] });
  const move = { from: A, base: 20, to: B, over: 1, message: 'away', committedAt: NOW.toISOString() };
  expect((await pages.commit({ puts: [], moves: [move] })).committed).toBe(true);
  for (let n = 23; n <= 40; n++) await pages.commit({ puts: [put(B, text(n), n - 1)] });
  await compacted();
  expect((await pages.version(B, 1))?.content).toBe(note('b', 'older'));
  for (let n = 1; n <= 20; n++) expect((await pages.version(B, n + 1))?.content).toBe(text(n));
  for (let n = 23; n <= 40; n++) expect((await pages.version(B, n))?.content).toBe(text(n));
  const purge = { pageId: B, base: 40, committedAt: NOW.toISOString() };
  expect((await pages.commit({ puts: [], purges: [purge] })).committed).toBe(true);
  expect(count('SELECT count(*) FROM page_version')).toBe(0);
});

test('[DS15] a text that shares little with its successor stays whole', async () => {
  const { pages } = w.storage;
  await pages.commit({ puts: [put(A, note('a', 'One thing entirely.'))] });
  await pages.commit({ puts: [put(A, note('a', 'Nothing of the former remains in here at all.'), 1)] });
  await compacted();
  expect(count('SELECT count(*) FROM page_version WHERE delta_of IS NULL')).toBe(2);
  expect((await pages.version(A, 1))?.content).toBe(note('a', 'One thing entirely.'));
});

test('[DS16] a version whose stored bytes do not give its hash is a fault, never another text', async () => {
  await write(w.storage.pages, 1, 5);
  await compacted();
  await w.storage.close();
  state(db => {
    const damage = db.prepare(
      `UPDATE page_version SET content = replace(content, 'nobody', 'anyone') WHERE version = 5`,
    );
    expect(damage.run().changes).toBe(1);
  }, false);
  w = await openWorld({}, w.dataDir);
  for (let n = 1; n < 5; n++) await expect(w.storage.pages.version(A, n)).rejects.toThrow('hash');
});

test('[DS15] versions of a store that knew no deltas become small as well', async () => {
  await write(w.storage.pages, 1, 5);
  await compacted();
  await w.storage.close();
  state(db => {
    const restore = db.prepare('UPDATE page_version SET content = ?, delta_of = NULL WHERE version = ?');
    for (let n = 1; n <= 5; n++) restore.run(text(n), n);
    // As the schema leaves it that brought deltas.
    db.exec('UPDATE compaction SET seq = 0');
  }, false);
  w = await openWorld({}, w.dataDir);
  await compacted();
  expect(count('SELECT count(*) FROM page_version WHERE delta_of IS NULL')).toBe(1);
  await expectTexts(w.storage.pages, A, 5);
});
