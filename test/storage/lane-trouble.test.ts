import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { idOf, outside, textOf, unhurried, type Outside } from './outside-files.ts';
import { note, put } from './world.ts';

let o: Outside;
afterEach(() => o.end());
const storage = () => o.world.storage;

test('[DS67] a fresh lane has no trouble', async () => {
  o = await outside([]);
  expect(await storage().lanes.trouble()).toBeNull();
  expect(storage().lanes.up()).toBe(true);
});

test.each(['tmp', 'markdown', 'other'])('[DS67] %s that is a file: said, and mended without a loss', async folder => {
  o = await outside(['a']);
  await storage().pages.commit({ puts: [put('loose.md', note('loose', 'x'))] });
  await storage().whenDrained();
  renameSync(o.file(folder), o.file('aside'));
  writeFileSync(o.file(folder), 'no folder');
  expect(await storage().lanes.trouble()).toBe(`${folder} is no folder`);
  await storage().pages.commit({
    puts: [put(idOf('a'), note('a', 'two'), 1), put('loose.md', note('loose', 'two'), 1)],
  });
  await expect.poll(() => storage().lanes.up()).toBe(false);
  expect(await storage().index.page(idOf('a'))).toMatchObject({ version: 2 });
  rmSync(o.file(folder));
  renameSync(o.file('aside'), o.file(folder));
  expect(await storage().lanes.trouble()).toBeNull();
  await storage().reconcile();
  await expect.poll(() => storage().lanes.up(), { timeout: 20_000 }).toBe(true);
  await storage().whenDrained();
  expect(readFileSync(o.file(idOf('a')), 'utf8')).toBe(note('a', 'two'));
  expect(readFileSync(o.file('other/loose.md'), 'utf8')).toBe(note('loose', 'two'));
  expect(await storage().reconcile()).toMatchObject({ edited: 0, archived: 0, skipped: 0 });
});

test('[DS67] a temporary folder that somebody removed is made again', async () => {
  o = await outside(['a']);
  o.remove('tmp');
  await storage().pages.commit({ puts: [put(idOf('a'), note('a', 'two'), 1)] });
  await storage().whenDrained();
  expect(readFileSync(o.file(idOf('a')), 'utf8')).toBe(note('a', 'two'));
});

test('[DS78] half of a save is no version', async () => {
  o = await outside([]);
  await unhurried(async (name, write) => {
    const text = note(name, 'one half and the other half');
    await write(() => o.edit(idOf(name), text.slice(0, 40)));
    const looked = storage().reconcile();
    await write(() => o.edit(idOf(name), text));
    await looked;
    expect(await storage().pages.head(idOf(name))).toMatchObject({ version: 1, content: text });
  });
});

test('[DS78] half of a save is no version either when the page is about to be published', async () => {
  o = await outside([]);
  await unhurried(async (name, write) => {
    await storage().pages.commit({ puts: [put(idOf(name), textOf(name))] });
    await storage().whenDrained();
    const text = note(name, 'one half and the other half');
    await write(() => o.edit(idOf(name), text.slice(0, 40)));
    await storage().pages.commit({ puts: [put(idOf(name), note(name, 'by agent'), 1)] });
    const drained = storage().whenDrained();
    await write(() => o.edit(idOf(name), text));
    await drained;
    const texts = await Promise.all([1, 2, 3].map(n => storage().pages.version(idOf(name), n)));
    expect(texts.map(version => version?.content)).toEqual([textOf(name), note(name, 'by agent'), text]);
    expect(await storage().pages.head(idOf(name))).toMatchObject({ version: 3 });
  });
});

test('[DS78] a file that keeps changing is left for the next look', async () => {
  o = await outside(['a']);
  let lines = 0;
  o.edit(idOf('a'), note('a', 'line'));
  const writer = setInterval(() => o.edit(idOf('a'), note('a', `line ${lines++}`)), 20);
  expect(await storage().reconcile()).toMatchObject({ edited: 0, skipped: 1 });
  clearInterval(writer);
  expect(await storage().reconcile()).toMatchObject({ edited: 1, skipped: 0 });
  expect(await storage().pages.head(idOf('a'))).toMatchObject({ version: 2 });
});
