import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { idOf, outside, textOf, type Outside } from './outside-files.ts';
import { note, put } from './world.ts';

let o: Outside;
afterEach(() => o.end());

const NAMES = ['a', 'b', 'c'];
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${n}`);
const storage = () => o.world.storage;
const errors = (): string[] => o.world.log.filter(line => line.level >= 50).map(line => line.msg);

async function archivedOf(names: readonly string[]): Promise<number> {
  const heads = await Promise.all(names.map(name => storage().pages.head(idOf(name))));
  return heads.filter(head => head?.archived === true).length;
}

test('[DS73] a deleted file archives its page, by `external`, with its history kept', async () => {
  o = await outside(NAMES);
  o.remove(idOf('a'));
  expect(await storage().reconcile()).toMatchObject({ archived: 1, moved: 0, restored: 0 });
  const head = (await storage().pages.head(idOf('a')))!;
  expect(head).toMatchObject({ version: 2, archived: true, author: 'external', origin: 'external' });
  expect(head.content).toContain('archived: true');
  expect((await storage().pages.version(idOf('a'), 1))?.content).toBe(textOf('a'));
  expect(await storage().index.page(idOf('a'))).toBeUndefined();
  expect(await archivedOf(NAMES)).toBe(1);
  await storage().whenDrained();
  expect(await storage().reconcile()).toMatchObject({ archived: 0, edited: 0, restored: 0, skipped: 0 });
  expect(existsSync(o.file(idOf('a')))).toBe(false);
});

test('[DS73] files and folders deleted while no server ran, and the file stays away after another start', async () => {
  o = await outside([...NAMES, 'deep/d', 'deep/e']);
  await o.whileStopped(() => {
    o.remove(idOf('a'));
    o.remove('markdown/instances/note/deep');
  });
  expect(await archivedOf(['a', 'deep/d', 'deep/e'])).toBe(3);
  expect(await archivedOf(['b', 'c'])).toBe(0);
  await o.whileStopped(() => undefined);
  expect(existsSync(o.file(idOf('a')))).toBe(false);
  expect(await storage().pages.head(idOf('a'))).toMatchObject({ version: 2 });
});

const drained = (): Promise<boolean> =>
  storage()
    .whenDrained()
    .then(
      () => true,
      () => false,
    );

test.each([textOf('a'), 'a text without a header'])(
  '[DS73] a file that comes back revives its page: %j',
  async text => {
    o = await outside(NAMES);
    await storage().pages.commit({ puts: [put(idOf('a'), text, 1)] });
    await storage().whenDrained();
    const away = o.file('away.md');
    renameSync(o.file(idOf('a')), away);
    expect(await storage().reconcile()).toMatchObject({ archived: 1 });
    await storage().whenDrained();
    renameSync(away, o.file(idOf('a')));
    expect(await storage().reconcile()).toMatchObject({ edited: 1 });
    expect(await storage().pages.head(idOf('a'))).toMatchObject({ version: 4, archived: false, content: text });
    expect(await storage().reconcile()).toMatchObject({ edited: 0 });
  },
);

test('[DS73] a write after the deletion brings page and file back', async () => {
  o = await outside(NAMES);
  o.remove(idOf('a'));
  await storage().reconcile();
  await storage().pages.commit({ puts: [put(idOf('a'), note('a', 'again'), 2)] });
  await storage().whenDrained();
  expect(readFileSync(o.file(idOf('a')), 'utf8')).toBe(note('a', 'again'));
});

test('[DS73] a write at the same moment wins over the deletion', async () => {
  o = await outside(NAMES);
  o.remove(idOf('a'));
  await storage().pages.commit({ puts: [put(idOf('a'), note('a', 'by agent'), 1)] });
  await storage().whenDrained();
  expect(await storage().reconcile()).toMatchObject({ archived: 0 });
  expect(readFileSync(o.file(idOf('a')), 'utf8')).toBe(note('a', 'by agent'));
});

test('[DS73] the file of a page that an agent archived may be taken away', async () => {
  o = await outside(NAMES);
  await storage().pages.commit({
    puts: [put(idOf('a'), note('a', 'text', 'archived: true\n'), 1, { archive: true })],
  });
  await storage().whenDrained();
  o.remove(idOf('a'));
  expect(await storage().reconcile()).toMatchObject({ archived: 0, restored: 0 });
  expect(existsSync(o.file(idOf('a')))).toBe(false);
  expect(await storage().pages.head(idOf('a'))).toMatchObject({ version: 2, archived: true });
});

test('[DS73] the meta-skill is never archived: its file comes back', async () => {
  o = await outside([]);
  const id = 'markdown/skills/escurel.md';
  await storage().pages.commit({ puts: [put(id, note('escurel', 'x'))] });
  await storage().whenDrained();
  o.remove(id);
  expect(await storage().reconcile()).toMatchObject({ archived: 0 });
  expect(readFileSync(o.file(id), 'utf8')).toBe(note('escurel', 'x'));
});

test('[DS77] more than 20 files and more than a tenth of all: nothing is archived until deletions are accepted', async () => {
  const names = many(60);
  o = await outside(names);
  for (const name of names.slice(0, 21)) o.remove(idOf(name));
  expect(await storage().reconcile()).toMatchObject({ archived: 0, restored: 0 });
  expect(storage().lanes.missing()).toBe(21);
  expect(errors()).toEqual([expect.stringContaining('accept_deletions')]);
  expect(await storage().index.page(idOf('p0'))).toMatchObject({ version: 1 });
  // Neither a smaller loss nor another look archives anything meanwhile, and nothing is said twice.
  expect(await storage().reconcile()).toMatchObject({ archived: 0 });
  expect(errors()).toHaveLength(1);
  o.remove(idOf('p30'));
  expect(await storage().reconcile()).toMatchObject({ archived: 0 });
  expect(storage().lanes.missing()).toBe(22);
  expect(await storage().reconcile(true)).toMatchObject({ archived: 22 });
  expect(storage().lanes.missing()).toBe(0);
  expect(await archivedOf(names)).toBe(22);
});

test('[DS77] 20 files, or no more than a tenth, are meant', async () => {
  const names = many(220);
  o = await outside(names);
  for (const name of names.slice(0, 20)) o.remove(idOf(name));
  expect(await storage().reconcile()).toMatchObject({ archived: 20 });
  for (const name of names.slice(20, 40)) o.remove(idOf(name));
  expect(await storage().reconcile()).toMatchObject({ archived: 20 });
  expect(errors()).toEqual([]);
});

test('[DS77] edits go on while files are missing, and what is back is missed no more', async () => {
  const names = many(40);
  o = await outside(names);
  mkdirSync(o.file('away'));
  for (const name of names.slice(0, 30)) renameSync(o.file(idOf(name)), o.file(`away/${name}`));
  o.edit(idOf('p35'), note('p35', 'by hand'));
  expect(await storage().reconcile()).toMatchObject({ archived: 0, edited: 1 });
  for (const name of names.slice(1, 30)) renameSync(o.file(`away/${name}`), o.file(idOf(name)));
  // One that does not come back is still held: who would know whether it is only late?
  expect(await storage().reconcile()).toMatchObject({ archived: 0, edited: 0, created: 0 });
  expect(storage().lanes.missing()).toBe(1);
  renameSync(o.file('away/p0'), o.file(idOf('p0')));
  expect(await storage().reconcile()).toMatchObject({ archived: 0, edited: 0, created: 0 });
  expect(storage().lanes.missing()).toBe(0);
  expect(await storage().pages.head(idOf('p0'))).toMatchObject({ version: 1 });
});

test('[DS77] a start finds the folder of a mount that is not there', async () => {
  o = await outside(many(30));
  await o.whileStopped(() => {
    renameSync(o.file('markdown'), o.file('unmounted'));
    mkdirSync(o.file('markdown'));
  });
  expect(storage().lanes.missing()).toBe(30);
  expect(await storage().index.page(idOf('p3'))).toMatchObject({ version: 1 });
  await o.whileStopped(() => {
    rmSync(o.file('markdown'), { recursive: true });
    renameSync(o.file('unmounted'), o.file('markdown'));
  });
  expect(storage().lanes.missing()).toBe(0);
  expect(await archivedOf(many(30))).toBe(0);
});

test.each(['gone', 'empty'])(
  '[DS77] [DS66] of however few pages, a folder that is %s is no deletion, and nothing is written into it',
  async how => {
    o = await outside(NAMES);
    renameSync(o.file('markdown'), o.file('unmounted'));
    if (how === 'empty') mkdirSync(o.file('markdown'));
    await storage().pages.commit({ puts: [put(idOf('a'), note('a', 'two'), 1), put(idOf('new'), note('new', 'x'))] });
    await expect(storage().whenDrained()).rejects.toThrow('not there');
    expect(await storage().reconcile()).toMatchObject({ archived: 0 });
    expect(storage().lanes.missing()).toBeGreaterThan(0);
    expect(storage().lanes.up()).toBe(false);
    expect(existsSync(o.file(idOf('new')))).toBe(false);
    if (how === 'empty') rmSync(o.file('markdown'), { recursive: true });
    renameSync(o.file('unmounted'), o.file('markdown'));
    await storage().reconcile();
    // A try that began while the folder was gone may still end.
    await expect.poll(drained).toBe(true);
    expect(storage().lanes.up()).toBe(true);
    expect(await storage().reconcile()).toMatchObject({ archived: 0, edited: 0, created: 0 });
    expect(storage().lanes.missing()).toBe(0);
    expect(readFileSync(o.file(idOf('a')), 'utf8')).toBe(note('a', 'two'));
  },
);

test('[DS66] once deletions are accepted the folder is made anew', async () => {
  o = await outside(NAMES);
  o.remove('markdown');
  expect(await storage().reconcile()).toMatchObject({ archived: 0 });
  expect(await storage().reconcile(true)).toMatchObject({ archived: 3 });
  await storage().pages.commit({ puts: [put(idOf('new'), note('new', 'x'))] });
  await storage().whenDrained();
  expect(readFileSync(o.file(idOf('new')), 'utf8')).toBe(note('new', 'x'));
});

test('[DS77] a file or a link in place of the folder is like a missing one', async () => {
  o = await outside(NAMES);
  renameSync(o.file('markdown'), o.file('unmounted'));
  writeFileSync(o.file('markdown'), 'a file');
  expect(await storage().lanes.trouble()).toBe('markdown is no folder');
  expect(await storage().reconcile()).toMatchObject({ archived: 0 });
  rmSync(o.file('markdown'));
  renameSync(o.file('unmounted'), o.file('markdown'));
  expect(await storage().lanes.trouble()).toBeNull();
});
