import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { idOf, outside, textOf, type Outside } from './outside-files.ts';
import { note, put } from './world.ts';

let o: Outside;
afterEach(() => o.end());

const storage = () => o.world.storage;
function rename(from: string, to: string): void {
  mkdirSync(dirname(o.file(to)), { recursive: true });
  renameSync(o.file(from), o.file(to));
}

test('[DS76] a renamed file moves its page, history and all', async () => {
  o = await outside(['a', 'b']);
  await storage().pages.commit({ puts: [put(idOf('a'), note('a', 'two'), 1)] });
  await storage().whenDrained();
  rename(idOf('a'), 'markdown/elsewhere/z.md');
  expect(await storage().reconcile()).toMatchObject({ moved: 1, created: 0, archived: 0, edited: 0 });
  const history = await storage().pages.history('markdown/elsewhere/z.md');
  expect(history.map(({ author, origin }) => `${author} ${origin}`)).toEqual([
    'ann agent',
    'ann agent',
    'external external',
  ]);
  expect(history.at(-1)?.message).toContain(idOf('a'));
  expect(await storage().pages.head(idOf('a'))).toBeUndefined();
  expect(await storage().index.page('markdown/elsewhere/z.md')).toMatchObject({
    version: 3,
    lastWrittenBy: 'external',
  });
  await storage().whenDrained();
  expect(await storage().reconcile()).toMatchObject({ moved: 0, created: 0, archived: 0, edited: 0, skipped: 0 });
  expect(readFileSync(o.file('markdown/elsewhere/z.md'), 'utf8')).toBe(note('a', 'two'));
});

test('[DS76] a renamed folder of many pages, while no server ran, is no loss', async () => {
  const names = Array.from({ length: 50 }, (_, n) => `dir/p${n}`);
  o = await outside(names);
  await o.whileStopped(() => rename('markdown/instances/note/dir', 'other/kept/dir'));
  expect(storage().lanes.missing()).toBe(0);
  for (const name of names) {
    expect(await storage().pages.head(idOf(name))).toBeUndefined();
    expect((await storage().pages.history(`kept/${name}.md`)).length).toBe(2);
  }
  expect(await o.find('p33')).toEqual(['kept/dir/p33.md']);
});

test('[DS76] files of the same text are told apart by their names', async () => {
  o = await outside([]);
  const same = note('x', 'same');
  const ids = ['x/1.md', 'x/2.md', 'x/3.md'];
  for (const id of ids) await storage().pages.commit({ puts: [put(`markdown/${id}`, same, 0, { author: id })] });
  await storage().whenDrained();
  for (const id of ids.toReversed()) rename(`markdown/${id}`, `markdown/y/${id.slice(2)}`);
  expect(await storage().reconcile()).toMatchObject({ moved: 3, created: 0, archived: 0 });
  for (const id of ids) {
    const [first] = await storage().pages.history(`markdown/y/${id.slice(2)}`);
    expect(first?.author).toBe(id);
  }
});

test('[DS76] a page written to before its rename is seen keeps the write', async () => {
  o = await outside(['a', 'b']);
  rename(idOf('a'), idOf('z'));
  const looked = storage().reconcile();
  await storage().pages.commit({ puts: [put(idOf('a'), note('a', 'newer'), 1)] });
  await looked;
  await storage().whenDrained();
  await storage().reconcile();
  await storage().whenDrained();
  const found = await o.find('newer');
  expect(found).toHaveLength(1);
  expect(readFileSync(o.file(found[0]!), 'utf8')).toBe(note('a', 'newer'));
});

test('[DS76] a rename onto another page is an edit of that page', async () => {
  o = await outside(['a', 'b']);
  await storage().pages.commit({ puts: [put(idOf('a'), note('a', 'longer than the other'), 1)] });
  await storage().whenDrained();
  rename(idOf('a'), idOf('b'));
  expect(await storage().reconcile()).toMatchObject({ moved: 0, edited: 1, archived: 1 });
  const text = note('a', 'longer than the other');
  expect(await storage().pages.head(idOf('b'))).toMatchObject({ version: 2, content: text, archived: false });
  expect(await storage().pages.head(idOf('a'))).toMatchObject({ archived: true });
});

test('[DS76] a rename onto the place of an archived page goes over it', async () => {
  o = await outside(['a', 'b']);
  o.remove(idOf('b'));
  await storage().reconcile();
  rename(idOf('a'), idOf('b'));
  expect(await storage().reconcile()).toMatchObject({ moved: 1, edited: 0, created: 0, archived: 0 });
  expect(await storage().pages.head(idOf('b'))).toMatchObject({ version: 4, archived: false, content: textOf('a') });
});

test('[DS76] exchanged files are two edits, a copy is a new page, a rename with a change is both', async () => {
  o = await outside(['a', 'b', 'c']);
  for (const [name, other] of ['ab', 'ba']) o.edit(idOf(name!), `${textOf(other!)}!`);
  copyFileSync(o.file(idOf('c')), o.file(idOf('copy')));
  expect(await storage().reconcile()).toMatchObject({ moved: 0, edited: 2, created: 1, archived: 0 });
  rename(idOf('c'), idOf('d'));
  writeFileSync(o.file(idOf('d')), note('d', 'changed as well'));
  expect(await storage().reconcile()).toMatchObject({ moved: 0, created: 1, archived: 1 });
});

test('[DS76] a file renamed to something that is no page archives its page', async () => {
  o = await outside(['a', 'b']);
  rename(idOf('a'), 'markdown/instances/note/a.txt');
  expect(await storage().reconcile()).toMatchObject({ moved: 0, created: 0, archived: 1 });
  expect(existsSync(o.file('markdown/instances/note/a.txt'))).toBe(true);
});
