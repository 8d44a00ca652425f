import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PageStore } from '../../src/pages/ports.ts';
import type { Step } from '../../src/storage/sqlite/index.ts';
import { note, NOW, openWorld, put, tempFolder, type World } from './world.ts';

const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';
const LATE = '9999-01-01T00:00:00.000Z';

let folder: string;
let world: World;
let atStep: (step: Step) => void;
beforeEach(async () => {
  folder = tempFolder();
  atStep = () => undefined;
  world = await openWorld({ step: step => atStep(step) }, join(folder, 'data'));
});
afterEach(async () => {
  await world.storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a reader sees of a page. */
async function seen(pages: PageStore, pageId: string): Promise<unknown[]> {
  return [
    (await pages.head(pageId))?.version,
    (await pages.version(pageId, 2))?.version,
    (await pages.history(pageId)).map(({ version }) => version),
    (await pages.versionAt(pageId, LATE))?.version,
  ];
}

/** What readers see between the commit of a change and its sync, asked there and then. */
async function duringSync(change: () => Promise<unknown>, ...pageIds: string[]): Promise<unknown[][]> {
  const asked: Promise<unknown[]>[] = [];
  atStep = step => {
    if (step === 'state.commit') asked.push(...pageIds.map(id => seen(world.storage.pages, id)));
  };
  await change();
  atStep = () => undefined;
  return Promise.all(asked);
}

test('[DS14] a new version is seen when it is durable, and not before', async () => {
  const { pages } = world.storage;
  await pages.commit({ puts: [put(A, note('a', 'one'))] });
  const during = await duringSync(() => pages.commit({ puts: [put(A, note('a', 'two'), 1)] }), A);
  expect(during).toEqual([[1, undefined, [1], 1]]);
  expect(await seen(pages, A)).toEqual([2, 2, [1, 2], 2]);
});

test('[DS14] a page on its way to another id is seen at the old one', async () => {
  const { pages } = world.storage;
  await pages.commit({ puts: [put(A, note('a', 'one'))] });
  const move = { from: A, base: 1, to: B, over: 0, message: 'away', committedAt: NOW.toISOString() };
  const during = await duringSync(() => pages.commit({ puts: [], moves: [move] }), A, B);
  expect(during).toEqual([
    [1, undefined, [1], 1],
    [undefined, undefined, [], undefined],
  ]);
  expect(await seen(pages, A)).toEqual([undefined, undefined, [], undefined]);
  expect(await seen(pages, B)).toEqual([2, 2, [1, 2], 2]);
});

test('[DS14] [DS9] a version whose sync failed is never seen', async () => {
  const { pages } = world.storage;
  await pages.commit({ puts: [put(A, note('a', 'one'))] });
  atStep = step => {
    if (step === 'state.fsync') throw new Error('planted');
  };
  await expect(pages.commit({ puts: [put(A, note('a', 'two'), 1)] })).rejects.toThrow('may not be durable');
  expect(await seen(pages, A)).toEqual([1, undefined, [1], 1]);
});
