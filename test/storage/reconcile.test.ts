import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { project } from '../../src/pages/index.ts';
import type { Project } from '../../src/pages/ports.ts';
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
function edit(path: string, data: string | Uint8Array): void {
  mkdirSync(dirname(file(path)), { recursive: true });
  writeFileSync(file(path), data);
}
async function worldWith(...ids: string[]): Promise<World> {
  const world = await openWorld({}, dataDir);
  await world.storage.pages.commit({ puts: ids.map(id => put(id, note(id.slice(24, -3), `text of ${id}`))) });
  await world.storage.whenDrained();
  return world;
}
const NOTHING = { edited: 0, created: 0, moved: 0, archived: 0, restored: 0, skipped: 0 };

test('[DS70] a changed file becomes the next version, byte for byte', async () => {
  const world = await worldWith(A, B);
  const text = `\uFEFF${note('a', 'by hand: Größe')}`.replaceAll('\n', '\r\n');
  edit(A, text);
  expect(await world.storage.reconcile()).toEqual({ ...NOTHING, files: 2, edited: 1 });
  expect(await world.storage.pages.head(A)).toMatchObject({
    version: 2,
    content: text,
    author: 'external',
    origin: 'external',
    message: null,
  });
  expect(await world.storage.index.page(A)).toMatchObject({ version: 2, slug: 'a', lastWrittenBy: 'external' });
  expect(await world.storage.pages.head(B)).toMatchObject({ version: 1 });
  await world.storage.whenDrained();
  expect(readFileSync(file(A), 'utf8')).toBe(text);
  expect(await world.storage.reconcile()).toEqual({ ...NOTHING, files: 2 });
  await world.storage.close();
});

test('[DS70] an edit made while no server ran is taken in after the start', async () => {
  const world = await worldWith(A, B);
  await world.storage.close();
  edit(A, note('a', 'by hand'));
  const again = await openWorld({}, dataDir);
  await again.storage.whenDrained();
  expect(await again.storage.pages.head(A)).toMatchObject({
    version: 2,
    content: note('a', 'by hand'),
    origin: 'external',
  });
  const third = await again.reopen();
  await third.storage.whenDrained();
  expect(await third.storage.pages.head(A)).toMatchObject({ version: 2 });
  await third.storage.close();
});

test('[DS70] a file put back to an older version is an edit like any other', async () => {
  const world = await worldWith(A);
  const first = (await world.storage.pages.head(A))!.content;
  await world.storage.pages.commit({ puts: [put(A, note('a', 'two'), 1)] });
  await world.storage.whenDrained();
  edit(A, first);
  expect(await world.storage.reconcile()).toMatchObject({ edited: 1 });
  expect(await world.storage.pages.head(A)).toMatchObject({ version: 3, content: first, origin: 'external' });
  await world.storage.close();
});

test('[DS70] an edit of equal length is seen', async () => {
  const world = await worldWith(A);
  await new Promise(resolve => setTimeout(resolve, 20)); // file times tick every few milliseconds
  const text = readFileSync(file(A), 'utf8');
  edit(A, text.replace('text', 'TEXT'));
  expect(await world.storage.reconcile()).toMatchObject({ edited: 1 });
  await world.storage.close();
});

test('[DS71] new .md files become pages below both folders, also while no server ran', async () => {
  const world = await worldWith(A);
  edit(B, note('b', 'new'));
  edit('markdown/deep/er/Ünï cödé.md', 'no header at all');
  edit('other/loose.md', note('loose', 'x'));
  expect(await world.storage.reconcile()).toMatchObject({ files: 4, created: 3 });
  expect(await world.storage.index.page(B)).toMatchObject({ version: 1, slug: 'b' });
  expect(await world.storage.pages.head('markdown/deep/er/Ünï cödé.md')).toMatchObject({ content: 'no header at all' });
  expect(await world.storage.pages.head('loose.md')).toMatchObject({ origin: 'external' });
  expect(await world.storage.reconcile()).toEqual({ ...NOTHING, files: 4 });
  await world.storage.close();
});

test('[DS71] an archived flag in a new file is honoured', async () => {
  const world = await worldWith();
  edit(B, note('b', 'old', 'archived: true\n'));
  await world.storage.reconcile();
  expect(await world.storage.pages.head(B)).toMatchObject({ archived: true });
  expect(await world.storage.index.page(B)).toBeUndefined();
  await world.storage.close();
});

test('[DS71] other files, hidden ones, links and odd names do not become pages', async () => {
  const world = await worldWith(A);
  const outside = tempFolder();
  writeFileSync(join(outside, 'secret.md'), 'secret');
  const ignored = [
    'markdown/image.png',
    'markdown/a.md~',
    'markdown/.git/x.md',
    'markdown/.a.md.swp',
    'other/markdown/x.md',
    'markdown/back\\slash.md',
    'markdown/line\nbreak.md',
    `markdown/${'n'.repeat(240)}.md`,
  ];
  for (const path of ignored) edit(path, 'x');
  symlinkSync(outside, file('markdown/linked'));
  symlinkSync(join(outside, 'secret.md'), file('markdown/link.md'));
  symlinkSync(file('markdown'), file('markdown/loop'));
  expect(await world.storage.reconcile()).toMatchObject({ edited: 0, created: 0, restored: 0, skipped: 6 });
  for (const path of [...ignored, 'markdown/linked/secret.md', 'markdown/link.md']) {
    expect(await world.storage.pages.head(path)).toBeUndefined();
    expect(readFileSync(file(path)).length).toBeGreaterThan(0);
  }
  rmSync(outside, { recursive: true });
  await world.storage.close();
});

test('[DS72] what is no text, too large, or in the way of other pages is logged and left alone', async () => {
  const world = await worldWith('markdown/x.md/below.md', 'markdown/y.md');
  edit('markdown/binary.md', Buffer.from([0x80, 0x81]));
  edit('markdown/large.md', '');
  truncateSync(file('markdown/large.md'), 33 * 1024 * 1024);
  rmSync(file('markdown/y.md'));
  edit('markdown/y.md/below.md', 'x');
  expect(await world.storage.reconcile()).toMatchObject({ edited: 0, created: 0, skipped: 3 });
  const reasons = world.log.filter(line => line.msg === 'outside file skipped').map(line => line.file);
  expect(new Set(reasons)).toEqual(new Set(['markdown/binary.md', 'markdown/large.md', 'markdown/y.md/below.md']));
  expect(await world.storage.pages.head('markdown/y.md')).toMatchObject({ version: 2, archived: true });
  expect(readFileSync(file('markdown/binary.md'))).toEqual(Buffer.from([0x80, 0x81]));
  await world.storage.close();
});

test('[DS74] looking while agents write finds no edit', async () => {
  const world = await worldWith(A, B);
  const state = { writing: true };
  const writer = (async () => {
    for (let n = 1; n <= 120; n++) {
      await Promise.all([A, B].map(id => world.storage.pages.commit({ puts: [put(id, note('x', `text ${n}`), n)] })));
    }
    state.writing = false;
  })();
  let looks = 0;
  while (state.writing) {
    expect(await world.storage.reconcile()).toMatchObject({ edited: 0, created: 0, restored: 0, skipped: 0 });
    looks += 1;
  }
  await writer;
  expect(looks).toBeGreaterThan(1);
  await world.storage.whenDrained();
  expect(await world.storage.pages.head(A)).toMatchObject({ version: 121 });
  await world.storage.close();
});

test('[DS75] L12: a name in another Unicode form is the same page and gets the one name', async () => {
  const composed = 'markdown/M\u00fcller.md';
  const decomposed = 'markdown/Mu\u0308ller.md';
  const world = await worldWith(composed, B);
  renameSync(file(composed), file(decomposed));
  expect(await world.storage.reconcile()).toMatchObject({ edited: 0, created: 0, restored: 0 });
  expect(readdirSync(file('markdown')).filter(name => name.endsWith('.md'))).toEqual(['M\u00fcller.md']);
  edit('markdown/new/u\u0308.md', 'x');
  expect(await world.storage.reconcile()).toMatchObject({ created: 1 });
  expect(await world.storage.pages.head('markdown/new/\u00fc.md')).toMatchObject({ content: 'x' });
  edit(decomposed, 'a second file');
  expect(await world.storage.reconcile()).toMatchObject({ skipped: 1, edited: 0 });
  expect(readFileSync(file(decomposed), 'utf8')).toBe('a second file');
  await world.storage.close();
});

test('[DS70] an edit and an agent at the same moment: both versions stay', async () => {
  const world = await worldWith(A);
  edit(A, note('a', 'by hand'));
  const [, committed] = await Promise.all([
    world.storage.reconcile(),
    world.storage.pages.commit({ puts: [put(A, note('a', 'by agent'), 1)] }),
  ]);
  await world.storage.whenDrained();
  await world.storage.reconcile();
  const head = (await world.storage.pages.head(A))!;
  const texts = await Promise.all(
    Array.from({ length: head.version }, async (_, n) => (await world.storage.pages.version(A, n + 1))?.content),
  );
  expect(texts).toContain(note('a', 'by hand'));
  expect(texts.includes(note('a', 'by agent'))).toBe(committed.committed);
  expect(readFileSync(file(A), 'utf8')).toBe(head.content);
  await world.storage.close();
});

test('[DS72] an edit that cannot be committed is logged and holds up no other page', async () => {
  const failing: Project = (pageId, content) => {
    if (content.includes('planted')) throw new Error('planted');
    return project(pageId, content);
  };
  const world = await openWorld({ project: failing }, dataDir);
  await world.storage.pages.commit({ puts: [A, B].map(id => put(id, note('x', 'text'))) });
  await world.storage.whenDrained();
  edit(A, note('a', 'planted'));
  await world.storage.pages.commit({ puts: [A, B].map(id => put(id, note('x', 'more'), 1)) });
  await world.storage.whenDrained();
  expect(readFileSync(file(A), 'utf8')).toContain('planted');
  expect(readFileSync(file(B), 'utf8')).toContain('more');
  expect(await world.storage.reconcile()).toMatchObject({ skipped: 1 });
  await world.storage.close();
});
