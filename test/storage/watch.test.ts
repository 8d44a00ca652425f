import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { idOf, outside, textOf, unhurried, type Outside } from './outside-files.ts';
import { note, put, tempFolder } from './world.ts';

let o: Outside;
afterEach(() => o.end());

const storage = () => o.world.storage;
const head = (name: string) => storage().pages.head(idOf(name));
/** Waits for what nobody asks for. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 20_000, interval: 50 });
const watched = (...names: string[]) => outside(names, { watch: true });
const contentOf = async (name: string) => (await head(name))?.content;
const versionOf = async (name: string) => (await head(name))?.version;

test('[DS90] an edit becomes a version and is found, without anybody asking', async () => {
  o = await watched('a', 'b');
  o.edit(idOf('a'), note('a', 'zwetschge'));
  await soon(() => o.find('zwetschge')).toEqual([idOf('a')]);
  expect(await head('a')).toMatchObject({ version: 2, origin: 'external', content: note('a', 'zwetschge') });
  expect(await versionOf('b')).toBe(1);
});

test('[DS90] a new file, also in new folders below one another, becomes a page', async () => {
  o = await watched('a');
  o.edit('markdown/one/two/three/new.md', note('new', 'x'));
  o.edit('other/first/loose.md', note('loose', 'x'));
  await soon(() => storage().pages.head('markdown/one/two/three/new.md')).toMatchObject({ version: 1 });
  await soon(() => storage().pages.head('first/loose.md')).toMatchObject({ version: 1 });
  o.edit('markdown/one/two/three/new.md', note('new', 'changed'));
  await soon(() => storage().pages.head('markdown/one/two/three/new.md')).toMatchObject({ version: 2 });
  expect(await versionOf('a')).toBe(1);
});

test('[DS90] the ways of editors: in place, by rename, by backup, by deletion and rename', async () => {
  o = await watched('inplace', 'rename', 'backup', 'again');
  const edited = (name: string) => note(name, 'edited');
  o.edit(idOf('inplace'), edited('inplace'));

  o.edit('markdown/.rename.md.swp', edited('rename'));
  renameSync(o.file('markdown/.rename.md.swp'), o.file(idOf('rename')));

  renameSync(o.file(idOf('backup')), o.file(`${idOf('backup')}~`));
  o.edit(idOf('backup'), edited('backup'));
  unlinkSync(o.file(`${idOf('backup')}~`));

  unlinkSync(o.file(idOf('again')));
  o.edit(`${idOf('again')}.tmp`, edited('again'));
  renameSync(o.file(`${idOf('again')}.tmp`), o.file(idOf('again')));

  for (const name of ['inplace', 'rename', 'backup', 'again']) {
    await soon(() => contentOf(name)).toBe(edited(name));
    expect([name, await versionOf(name)]).toEqual([name, 2]);
  }
});

test('[DS78] a save in many pieces is one version', async () => {
  o = await watched('a');
  await unhurried(async (name, write) => {
    const text = note(name, 'written piece by piece');
    mkdirSync(o.file('markdown/instances/note'), { recursive: true });
    const fd = openSync(o.file(idOf(name)), 'w');
    for (const piece of text.match(/[^]{1,8}/g) ?? []) await write(() => void writeSync(fd, piece));
    closeSync(fd);
    await soon(() => contentOf(name)).toBe(text);
    expect(await versionOf(name)).toBe(1);
  });
});

test('[DS90] a renamed file moves its page, a deleted one archives it, a folder does both for all below', async () => {
  o = await watched('a', 'b', 'dir/c', 'dir/d', 'gone/e', 'gone/f');
  renameSync(o.file(idOf('a')), o.file(idOf('z')));
  renameSync(o.file('markdown/instances/note/dir'), o.file('markdown/dir2'));
  unlinkSync(o.file(idOf('b')));
  o.remove('markdown/instances/note/gone');
  await soon(() => storage().pages.history(idOf('z'))).toHaveLength(2);
  await soon(() => storage().pages.history('markdown/dir2/c.md')).toHaveLength(2);
  await soon(() => storage().pages.history('markdown/dir2/d.md')).toHaveLength(2);
  for (const name of ['b', 'gone/e', 'gone/f']) await soon(() => head(name)).toMatchObject({ archived: true });
  for (const name of ['a', 'dir/c', 'dir/d']) expect(await head(name)).toBeUndefined();
  o.edit('markdown/dir2/c.md', note('c', 'in its new place'));
  await soon(() => storage().pages.head('markdown/dir2/c.md')).toMatchObject({ version: 3 });
});

test('[DS90] a git checkout that changes 1,000 files', async () => {
  o = await watched('a');
  const git = (...words: string[]): void => {
    const run = spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...words], {
      cwd: o.file('markdown'),
      encoding: 'utf8',
    });
    if (run.status !== 0) throw new Error(`git ${words.join(' ')}: ${run.stderr}`);
  };
  const names = Array.from({ length: 1000 }, (_, n) => `g${n}`);
  const all = (word: string) =>
    expect
      .poll(async () => (await Promise.all(names.map(contentOf))).filter(text => text?.includes(word)).length, {
        timeout: 100_000,
        interval: 500,
      })
      .toBe(1000);
  git('init', '-q', '-b', 'one');
  for (const name of names) o.edit(idOf(name), note(name, 'first branch'));
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  git('checkout', '-q', '-b', 'two');
  for (const name of names) o.edit(idOf(name), note(name, 'second branch'));
  git('commit', '-q', '-a', '-m', 'two');
  await all('second');
  git('checkout', '-q', 'one');
  await all('first');
  expect(storage().lanes.missing()).toBe(0);
  for (const name of names) expect(readFileSync(o.file(idOf(name)), 'utf8')).toBe(await contentOf(name));
  expect(await storage().pages.head('markdown/.git/HEAD')).toBeUndefined();
}, 300_000);

test('[DS91] two edits at one tick of a coarse clock are two versions', async () => {
  o = await watched('a');
  const second = 1_700_000_000;
  for (const [at, word] of ['aaaa', 'bbbb', 'cccc'].entries()) {
    o.edit(idOf('a'), note('a', word));
    utimesSync(o.file(idOf('a')), second, second);
    await soon(() => contentOf('a')).toBe(note('a', word));
    expect(await versionOf('a')).toBe(at + 2);
  }
});

test('[DS92] many files that vanish are held, and missed no more when they are back', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `p${n}`);
  o = await watched(...names);
  mkdirSync(o.file('away'));
  for (const name of names.slice(0, 40)) renameSync(o.file(idOf(name)), o.file(`away/${name}`));
  await soon(() => storage().lanes.missing()).toBe(40);
  for (const name of names.slice(0, 40)) renameSync(o.file(`away/${name}`), o.file(idOf(name)));
  await soon(() => storage().lanes.missing()).toBe(0);
  for (const name of names) expect(await versionOf(name)).toBe(1);
});

test('[DS92] a folder of pages that goes and comes back, with an edit made in between', async () => {
  o = await watched('a', 'b', 'c');
  renameSync(o.file('markdown'), o.file('unmounted'));
  await soon(() => storage().lanes.missing()).toBe(3);
  writeFileSync(o.file('unmounted/instances/note/a.md'), note('a', 'edited while away'));
  renameSync(o.file('unmounted'), o.file('markdown'));
  await soon(() => contentOf('a')).toBe(note('a', 'edited while away'));
  await soon(() => storage().lanes.missing()).toBe(0);
  expect([await versionOf('a'), await versionOf('b')]).toEqual([2, 1]);
  o.edit(idOf('b'), note('b', 'watched again'));
  await soon(() => contentOf('b')).toBe(note('b', 'watched again'));
});

test('[DS92] a folder with another one in its place at once, pages and folder of pages alike', async () => {
  o = await watched('dir/a', 'dir/b', 'c');
  o.edit('markdown/other/b.md', note('b', 'new here'));
  await soon(() => storage().pages.head('markdown/other/b.md')).toMatchObject({ version: 1 });
  renameSync(o.file('markdown/instances/note/dir'), o.file('away'));
  renameSync(o.file('markdown/other'), o.file('markdown/instances/note/dir'));
  await soon(() => contentOf('dir/b')).toBe(note('b', 'new here'));
  await soon(() => head('dir/a')).toMatchObject({ archived: true });
  renameSync(o.file('markdown'), o.file('unmounted'));
  mkdirSync(o.file('markdown'));
  await soon(() => storage().lanes.missing()).toBe(2);
  expect(await head('c')).toMatchObject({ archived: false });
});

test('[DS92] folders that come before the server knows of any', async () => {
  o = await watched();
  o.edit(idOf('a'), textOf('a'));
  await soon(() => versionOf('a')).toBe(1);
  o.edit('other/loose.md', note('loose', 'x'));
  await soon(() => storage().pages.head('loose.md')).toMatchObject({ version: 1 });
  expect(storage().lanes.missing()).toBe(0);
});

test('[DS93] what the server publishes itself is no edit, however fast it writes', async () => {
  o = await watched('a', 'b');
  for (let n = 1; n <= 200; n++) {
    await Promise.all(
      ['a', 'b'].map(name => storage().pages.commit({ puts: [put(idOf(name), note(name, `${n}`), n)] })),
    );
  }
  await storage().pages.commit({ puts: Array.from({ length: 200 }, (_, n) => put(idOf(`n${n}`), textOf(`n${n}`))) });
  await storage().whenDrained();
  // The edit comes after all of them, and so does what is heard of it.
  o.edit(idOf('b'), note('b', 'by hand'));
  await soon(() => versionOf('b')).toBe(202);
  expect(await versionOf('a')).toBe(201);
  const origins = [...(await storage().pages.history(idOf('a'))), ...(await storage().pages.history(idOf('n7')))];
  expect(new Set(origins.map(({ origin }) => origin))).toEqual(new Set(['agent']));
});

test('[DS71] [DS72] links, other files, hidden ones and no text, while watched', async () => {
  o = await watched('a', 'linked');
  const away = tempFolder();
  writeFileSync(join(away, 'secret.md'), 'secret');
  symlinkSync(join(away, 'secret.md'), o.file('markdown/link.md'));
  symlinkSync(away, o.file('markdown/folder'));
  unlinkSync(o.file(idOf('linked')));
  symlinkSync(join(away, 'secret.md'), o.file(idOf('linked')));
  o.edit('markdown/image.png', 'x');
  o.edit('markdown/.hidden.md', 'x');
  o.edit(idOf('a'), Buffer.from([0xff, 0xfe, 0x41]));
  o.edit('markdown/last.md', 'last');
  await soon(() => storage().pages.head('markdown/last.md')).toMatchObject({ version: 1 });
  await soon(() => head('linked')).toMatchObject({
    archived: true,
    content: expect.stringContaining('text of linked'),
  });
  await soon(() => o.world.log.map(line => line.reason)).toContain('not UTF-8');
  for (const id of ['link.md', 'folder/secret.md', 'image.png', '.hidden.md']) {
    expect(await storage().pages.head(`markdown/${id}`)).toBeUndefined();
  }
  expect(await versionOf('a')).toBe(1);
  expect(readFileSync(join(away, 'secret.md'), 'utf8')).toBe('secret');
  expect(existsSync(o.file('markdown/link.md'))).toBe(true);
  rmSync(away, { recursive: true });
});

test('[DS73] [DS90] an agent that writes while the file is deleted has its way', async () => {
  o = await watched('a', 'b');
  unlinkSync(o.file(idOf('a')));
  await storage().pages.commit({ puts: [put(idOf('a'), note('a', 'by agent'), 1)] });
  unlinkSync(o.file(idOf('b')));
  await soon(() => head('b')).toMatchObject({ archived: true });
  expect(await head('a')).toMatchObject({ version: 2, archived: false });
  await soon(() => existsSync(o.file(idOf('a')))).toBe(true);
});
