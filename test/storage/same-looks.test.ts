import { execFileSync } from 'node:child_process';
import { copyFileSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { idOf, outside, textOf, type Outside } from './outside-files.ts';
import { put, tempFolder } from './world.ts';

let o: Outside | undefined;
afterEach(async () => {
  await o?.end();
  o = undefined;
});

const head = (name: string) => o!.world.storage.pages.head(idOf(name));
/** Waits for the second version. */
const soon = (name: string) => expect.poll(async () => (await head(name))?.version, { timeout: 20_000 }).toBe(2);
const other = (name: string): string => textOf(name).replace('text', 'TEXT');

/** Another text of the same length, with the old modification time to the nanosecond. */
function editUnseen(name: string): void {
  const file = o!.file(idOf(name));
  const kept = join(o!.world.dataDir, '..', `${name}.kept`);
  copyFileSync(file, kept);
  execFileSync('touch', ['-r', file, kept]);
  writeFileSync(file, other(name));
  execFileSync('touch', ['-r', kept, file]);
  expect(times(file)).toEqual(times(kept));
}

function times(file: string) {
  const { size, mtimeNs } = statSync(file, { bigint: true });
  return { size, mtimeNs };
}

/** The same by a file of its own that is renamed over the page's. */
function replaceUnseen(name: string): void {
  const file = o!.file(idOf(name));
  const fresh = join(o!.world.dataDir, '..', `${name}.fresh`);
  writeFileSync(fresh, other(name));
  execFileSync('touch', ['-r', file, fresh]);
  renameSync(fresh, file);
}

test('[DS95] an edit while stopped that keeps size and time is taken in at the start', async () => {
  o = await outside(['edited', 'replaced', 'left']);
  await o.whileStopped(() => {
    editUnseen('edited');
    replaceUnseen('replaced');
  });
  await soon('edited');
  await soon('replaced');
  expect(await head('edited')).toMatchObject({ content: other('edited'), origin: 'external' });
  expect(await head('replaced')).toMatchObject({ content: other('replaced'), origin: 'external' });
  expect(await head('left')).toMatchObject({ version: 1 });
});

test('[DS95] so it is by a look at all files, which then finds nothing more', async () => {
  o = await outside(['edited', 'left']);
  editUnseen('edited');
  expect(await o.world.storage.reconcile()).toMatchObject({ edited: 1, skipped: 0 });
  expect(await head('edited')).toMatchObject({ version: 2, content: other('edited') });
  expect(await o.world.storage.reconcile()).toMatchObject({ edited: 0, skipped: 0 });
});

test('[DS95] so it is while the folders are watched', async () => {
  o = await outside(['edited'], { watch: true });
  editUnseen('edited');
  await soon('edited');
  expect(await head('edited')).toMatchObject({ content: other('edited'), origin: 'external' });
});

test('[DS95] an edit of the same length at the very moment of publishing is not taken for ours', async () => {
  const done = new Set<string>();
  const step = (name: string): void => {
    const file = o?.file(idOf('late'));
    if (name !== 'publish.rename' || file === undefined || done.has(name)) return;
    done.add(name);
    writeFileSync(file, other('late').replace('late', 'LATE'));
  };
  o = await outside([], { step });
  const { storage } = o.world;
  await storage.pages.commit({ puts: [put(idOf('late'), textOf('late'))] });
  await storage.whenDrained();
  expect(done.size).toBe(1);
  await storage.reconcile();
  expect(await head('late')).toMatchObject({ version: 2, origin: 'external' });
  expect(readFileSync(o.file(idOf('late')), 'utf8')).toContain('LATE');
});

test('[DS95] files that the server writes together do not have the time of one tick', async () => {
  const root = tempFolder();
  const { pages } = fileLanes(root, () => undefined);
  const batch = Array.from({ length: 60 }, (_, n) => ({ path: `markdown/${n}.md`, data: 'x' }));
  const written = await pages.write(batch);
  const seen = new Set(written.map(one => ('facts' in one ? one.facts.mtimeMs : 0)));
  expect(seen.size).toBeGreaterThan(30);
  for (const one of written) expect(await pages.stat(one.path)).toEqual('facts' in one ? one.facts : undefined);
  rmSync(root, { recursive: true });
});

test('[DS74] another name of a file, as backups give it, is no edit', async () => {
  o = await outside(['a', 'b']);
  const kept = join(o.world.dataDir, '..', 'hard-link');
  await o.whileStopped(() => linkSync(o!.file(idOf('a')), kept));
  expect(await o.world.storage.reconcile()).toMatchObject({ files: 2, edited: 0, created: 0, skipped: 0 });
  expect(await head('a')).toMatchObject({ version: 1 });
});

test('[DS95] files of a store that knew sizes and times alone are compared once more', async () => {
  o = await outside(['edited', 'left']);
  await o.whileStopped(() => {
    editUnseen('edited');
    const state = new Database(join(o!.world.dataDir, 'state.sqlite'));
    state.exec(`UPDATE published SET mark = ''`);
    state.close();
  });
  await soon('edited');
  await o.world.storage.reconcile();
  expect(await head('left')).toMatchObject({ version: 1 });
  const state = new Database(join(o.world.dataDir, 'state.sqlite'), { readonly: true });
  expect(state.prepare(`SELECT count(*) FROM published WHERE mark = ''`).pluck().get()).toBe(0);
  state.close();
});
