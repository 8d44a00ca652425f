import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileOfPage, pageOfFile } from '../../src/pages/lanes/index.ts';
import type { Lanes, LaneStep } from '../../src/pages/lanes/ports.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { fileLaneContract } from '../contracts/file-lane.ts';
import { tempFolder } from './world.ts';

for (const [name, lane, foreign] of [
  ['pages', 'markdown', 'blobs'],
  ['blobs', 'blobs', 'markdown'],
] as const) {
  fileLaneContract(`the file system (${name})`, async () => {
    const root = tempFolder();
    const opened = fileLanes(root, () => undefined)[name];
    return { lane: opened, folder: lane, foreign, close: async () => rmSync(root, { recursive: true }) };
  });
}

let root: string;
let lanes: Lanes;
let steps: LaneStep[];
beforeEach(() => {
  root = tempFolder();
  steps = [];
  lanes = fileLanes(root, step => void steps.push(step));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const mode = (path: string): number => statSync(join(root, path)).mode & 0o777;

test('[DS50] new folders are 0700 and new files 0600, and a list closes files that others could read', async () => {
  await lanes.pages.write([{ path: 'markdown/a/b/c.md', data: 'x' }]);
  expect([mode('markdown'), mode('markdown/a'), mode('markdown/a/b'), mode('tmp')]).toEqual([
    0o700, 0o700, 0o700, 0o700,
  ]);
  expect(mode('markdown/a/b/c.md')).toBe(0o600);
  chmodSync(join(root, 'markdown/a/b/c.md'), 0o644);
  for await (const entry of lanes.pages.list('markdown')) expect(entry.path).toBe('markdown/a/b/c.md');
  expect(mode('markdown/a/b/c.md')).toBe(0o600);
});

test('[DS41] a linked folder or file is read as absent, never written through, never listed', async () => {
  const outside = tempFolder();
  writeFileSync(join(outside, 'secret.md'), 'secret');
  mkdirSync(join(root, 'markdown'), { mode: 0o700 });
  symlinkSync(outside, join(root, 'markdown/linked'));
  symlinkSync(join(outside, 'secret.md'), join(root, 'markdown/file.md'));
  for (const path of ['markdown/linked/secret.md', 'markdown/file.md']) {
    expect(await lanes.pages.read(path)).toBeUndefined();
    expect(await lanes.pages.stat(path)).toBeUndefined();
    expect(await lanes.pages.remove(path)).toBe(false);
  }
  const [through, deep, over] = await lanes.pages.write([
    { path: 'markdown/linked/new.md', data: 'x' },
    { path: 'markdown/linked/a/b.md', data: 'x' },
    { path: 'markdown/file.md', data: 'x', over: null },
  ]);
  expect(through).toMatchObject({ problem: { kind: 'unsuitable' } });
  expect(deep).toMatchObject({ problem: { kind: 'unsuitable' } });
  expect(over).toMatchObject({ changed: true });
  // Without an expectation the link itself is replaced, not what it points to.
  await lanes.pages.write([{ path: 'markdown/file.md', data: 'mine' }]);
  expect(Buffer.from((await lanes.pages.read('markdown/file.md'))!).toString()).toBe('mine');
  expect(readdirSync(outside)).toEqual(['secret.md']);
  expect(statSync(join(outside, 'secret.md')).size).toBe(6);
  const listed: string[] = [];
  for await (const entry of lanes.pages.list('markdown')) listed.push(entry.path);
  expect(listed).toEqual(['markdown/file.md']);
  rmSync(outside, { recursive: true });
});

test('[DS41] the folder of the lane may not be a link either', async () => {
  const outside = tempFolder();
  symlinkSync(outside, join(root, 'markdown'));
  expect(await lanes.pages.write([{ path: 'markdown/x.md', data: 'x' }])).toMatchObject([
    { problem: { kind: 'failed' } },
  ]);
  expect(readdirSync(outside)).toEqual([]);
  writeFileSync(join(outside, 'secret.md'), 'secret');
  const listed: string[] = [];
  for await (const entry of lanes.pages.list('markdown')) listed.push(entry.path);
  expect(listed).toEqual([]);
  rmSync(outside, { recursive: true });
});

test('[DS41] pipes and folders are no files', async () => {
  mkdirSync(join(root, 'markdown/folder'), { recursive: true });
  execFileSync('mkfifo', [join(root, 'markdown/pipe')]);
  for (const path of ['markdown/folder', 'markdown/pipe']) {
    expect(await lanes.pages.read(path)).toBeUndefined();
    expect(await lanes.pages.stat(path)).toBeUndefined();
    expect(await lanes.pages.write([{ path, data: 'x', over: null }])).toMatchObject([{ changed: true }]);
  }
  expect(await lanes.pages.write([{ path: 'markdown/folder', data: 'x' }])).toMatchObject([
    { problem: { kind: 'unsuitable' } },
  ]);
});

test('[DS45] a sweep alone removes what a killed process left over', async () => {
  await lanes.sweep();
  writeFileSync(join(root, 'tmp/of-a-killed-process'), 'x');
  await fileLanes(root, () => undefined).sweep();
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
});

test('[DS45] nothing is left in the temporary folder', async () => {
  mkdirSync(join(root, 'tmp'));
  writeFileSync(join(root, 'tmp/of-a-killed-process'), 'x');
  mkdirSync(join(root, 'markdown/d'), { recursive: true });
  await lanes.pages.write([
    { path: 'markdown/a.md', data: 'x' },
    { path: 'markdown/d', data: 'x' },
    { path: 'markdown/a.md', data: 'y', over: null },
  ]);
  await lanes.blobs.write([{ path: 'blobs/abc', data: 'x' }]);
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  expect(existsSync(join(root, 'blobs/abc'))).toBe(true);
});

test('[DS40] a large batch is written like a small one, and its threads do not keep the process alive', async () => {
  const alive = (): number => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length;
  const before = alive();
  const batch = Array.from({ length: 40 }, (_, n) => ({
    path: `markdown/f${n}.md`,
    data: n === 3 ? Buffer.from('ü') : `text ${n}`,
  }));
  const written = await lanes.pages.write(batch);
  expect(written.map(one => ('facts' in one ? one.facts.size : one))).toEqual(
    batch.map(({ data }) => Buffer.byteLength(data)),
  );
  expect(readFileSync(join(root, 'markdown/f39.md'), 'utf8')).toBe('text 39');
  expect(readFileSync(join(root, 'markdown/f3.md'), 'utf8')).toBe('ü');
  expect(steps.filter(step => step === 'publish.fsync')).toHaveLength(40);
  expect(new Set(batch.map(({ path }) => mode(path)))).toEqual(new Set([0o600]));
  expect(alive()).toBe(before);
});

test('[DS40] each file takes its bytes, becomes durable and gets its name, in this order', async () => {
  await lanes.pages.write([{ path: 'markdown/a.md', data: 'x' }]);
  expect(steps).toEqual(['publish.write', 'publish.fsync', 'publish.rename']);
});

test('[DS60] an id below markdown/ keeps its place, any other lies below other/', () => {
  const files: [string, string][] = [
    ['markdown/skills/a.md', 'markdown/skills/a.md'],
    ['a.md', 'other/a.md'],
    ['state.sqlite', 'other/state.sqlite'],
    ['other/x', 'other/other/x'],
    ['markdown', 'other/markdown'],
  ];
  for (const [pageId, path] of files) {
    expect(fileOfPage(pageId)).toBe(path);
    expect(pageOfFile(path)).toBe(pageId);
  }
  for (const path of ['other/markdown/x', 'tmp/x', 'blobs/x', 'state.sqlite']) expect(pageOfFile(path)).toBeNull();
});
