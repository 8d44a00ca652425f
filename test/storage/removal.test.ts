import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STEPS, type Step } from '../../src/storage/sqlite/index.ts';
import { note, NOW, openWorld, put, tempFolder, type World } from './world.ts';

const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';
const GONE = 'loose.md';

let w: World;
beforeEach(async () => void (w = await openWorld()));
afterEach(() => w.end());

const committedAt = NOW.toISOString();
const file = (world: World, path: string): string => join(world.dataDir, path);
const moveOf = (base: number) => ({ from: A, base, to: B, over: 0, message: 'moved', committedAt });
const quiet = { edited: 0, created: 0, restored: 0, skipped: 0 };

/** Writes a page of two versions that is then moved, and one that is archived and purged. */
async function live({ storage }: World): Promise<void> {
  await storage.pages.commit({ puts: [put(A, note('a', 'one')), put(GONE, note('x', 'secret'))] });
  await storage.pages.commit({
    puts: [put(A, note('a', 'two'), 1), put(GONE, note('x', 'secret', 'archived: true\n'), 1, { archive: true })],
  });
}
async function die({ storage }: World): Promise<void> {
  await storage.pages.commit({ puts: [], moves: [moveOf(2)] });
  await storage.pages.commit({ puts: [], purges: [{ pageId: GONE, base: 2, committedAt }] });
}

describe('files of pages that left their id', () => {
  test('[DS65] a moved page has its file under the new id alone, a purged page has none', async () => {
    await live(w);
    await w.storage.whenDrained();
    expect(existsSync(file(w, `other/${GONE}`))).toBe(true);
    await die(w);
    await w.storage.whenDrained();
    expect([existsSync(file(w, A)), existsSync(file(w, `other/${GONE}`))]).toEqual([false, false]);
    expect(readFileSync(file(w, B), 'utf8')).toBe(note('a', 'two'));
    expect(await w.storage.reconcile()).toMatchObject({ files: 1, ...quiet });
    w = await w.reopen();
    await w.storage.whenDrained();
    expect(await w.storage.pages.head(A)).toBeUndefined();
    expect(await w.storage.pages.head(GONE)).toBeUndefined();
  });

  test('[DS65] ids that are used again at once end with the new text', async () => {
    await live(w);
    await w.storage.whenDrained();
    await die(w);
    await w.storage.pages.commit({ puts: [put(A, note('a', 'new')), put(GONE, note('x', 'new'))] });
    await w.storage.whenDrained();
    expect(readFileSync(file(w, A), 'utf8')).toBe(note('a', 'new'));
    expect(readFileSync(file(w, `other/${GONE}`), 'utf8')).toBe(note('x', 'new'));
    expect(await w.storage.reconcile()).toMatchObject(quiet);
  });

  test('[DS65] a page that wanders on before its files are written leaves none behind', async () => {
    await live(w);
    await w.storage.whenDrained();
    const hops = [A, B, 'markdown/c.md', 'markdown/d.md'];
    for (let hop = 1; hop < hops.length; hop++) {
      const move = { ...moveOf(hop + 1), from: hops[hop - 1]!, to: hops[hop]! };
      expect((await w.storage.pages.commit({ puts: [], moves: [move] })).committed).toBe(true);
    }
    await w.storage.whenDrained();
    expect(hops.map(hop => existsSync(file(w, hop)))).toEqual([false, false, false, true]);
    expect(await w.storage.pages.history('markdown/d.md')).toHaveLength(5);
  });

  test('[DS65] a file of a moved page that somebody changed is left and becomes a page of its own', async () => {
    await live(w);
    await w.storage.whenDrained();
    writeFileSync(file(w, A), note('a', 'changed by hand'));
    await die(w);
    await w.storage.whenDrained();
    expect(readFileSync(file(w, A), 'utf8')).toBe(note('a', 'changed by hand'));
    expect(await w.storage.reconcile()).toMatchObject({ ...quiet, created: 1 });
    expect(await w.storage.pages.head(A)).toMatchObject({ version: 1, origin: 'external' });
    expect((await w.storage.pages.head(B))?.content).toBe(note('a', 'two'));
  });

  test('[DS65] a changed file of a purged page goes all the same', async () => {
    await live(w);
    await w.storage.whenDrained();
    writeFileSync(file(w, `other/${GONE}`), note('x', 'secret, changed by hand'));
    await die(w);
    await w.storage.whenDrained();
    expect(existsSync(file(w, `other/${GONE}`))).toBe(false);
  });

  test('[DS65] the index learns of removals that it missed', async () => {
    await live(w);
    await w.storage.pages.commit({ puts: [put('other.md', note('o', 'stays'))] });
    const before = join(tempFolder(), 'index.sqlite');
    const { dataDir } = w;
    await w.storage.close();
    cpSync(join(dataDir, 'index.sqlite'), before);
    w = await openWorld({}, dataDir);
    await die(w);
    await w.storage.close();
    cpSync(before, join(dataDir, 'index.sqlite'));
    w = await openWorld({}, dataDir);
    expect((await w.storage.index.page(B))?.version).toBe(3);
    expect(await w.storage.index.page(A)).toBeUndefined();
    expect(w.log.filter(line => line.msg.includes('made anew'))).toEqual([]);
  });
});

describe('a process that ends while pages leave', () => {
  // The folder as it is right after each step is what a killed process leaves behind.
  test('[DS65] [DS80] every step: the page is at one place, nothing purged comes back', async () => {
    await live(w);
    await w.storage.whenDrained();
    const { dataDir } = w;
    const copies: { step: Step; copy: string }[] = [];
    let recording = false;
    await w.storage.close();
    const step = (name: Step): void => {
      if (!recording) return;
      const copy = join(tempFolder(), 'data');
      cpSync(dataDir, copy, { recursive: true, filter: path => !/lock/.test(path) });
      copies.push({ step: name, copy });
    };
    w = await openWorld({ step }, dataDir);
    await w.storage.whenDrained();
    recording = true;
    await die(w);
    await w.storage.whenDrained();
    recording = false;
    expect(new Set(copies.map(copy => copy.step)).size).toBeGreaterThanOrEqual(STEPS.length - 1);
    for (const { step: name, copy } of copies) {
      const after = await openWorld({}, copy);
      await after.storage.whenDrained();
      const moved = (await after.storage.pages.head(B)) !== undefined;
      const purged = (await after.storage.pages.head(GONE)) === undefined;
      const [home, empty] = moved ? [B, A] : [A, B];
      const seen = {
        name,
        versions: (await after.storage.pages.history(home)).length,
        other: await after.storage.pages.head(empty),
        rows: [(await after.storage.index.page(home))?.version, (await after.storage.index.page(empty))?.version],
        files: [existsSync(file(after, home)), existsSync(file(after, empty))],
        purgedFile: existsSync(file(after, `other/${GONE}`)),
        looked: await after.storage.reconcile(),
        left: readdirSync(file(after, 'tmp')),
      };
      const versions = moved ? 3 : 2;
      expect(seen).toMatchObject({
        versions,
        other: undefined,
        rows: [versions, undefined],
        files: [true, false],
        purgedFile: !purged,
        looked: quiet,
        left: [],
      });
      await after.end();
    }
  });
});
