import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { project } from '../../src/pages/index.ts';
import type { Project } from '../../src/pages/ports.ts';
import type { Step } from '../../src/storage/sqlite/index.ts';
import { note, openWorld, put, tempFolder } from './world.ts';

let folder: string;
let dataDir: string;
let armed: Set<Step>;
beforeEach(() => {
  folder = tempFolder();
  dataDir = join(folder, 'data');
  armed = new Set();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Fails once at each armed step. */
const step = (name: Step): void => {
  if (armed.delete(name)) throw new Error(`planted at ${name}`);
};
const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';
const one = (pageId: string, base = 0) => ({ puts: [put(pageId, note('x', `text ${base}`), base)] });

test('[DS8] a page that cannot be derived rejects its own commit alone', async () => {
  const failing: Project = (pageId, content) => {
    if (pageId === B) throw new Error('planted');
    return project(pageId, content);
  };
  const { storage } = await openWorld({ project: failing }, dataDir);
  const results = await Promise.allSettled([
    storage.pages.commit(one(A)),
    storage.pages.commit(one(B)),
    storage.pages.commit({ puts: [...one('c.md').puts, ...one(B).puts] }),
  ]);
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await storage.pages.head(B)).toBeUndefined();
  expect(await storage.pages.head('c.md')).toBeUndefined();
  expect(await storage.pages.head(A)).toBeDefined();
  await storage.close();
});

test.each<Step>(['state.begin', 'state.insert'])(
  '[DS8] a fault at %s undoes the batch and the next one works',
  async name => {
    const { storage } = await openWorld({ step }, dataDir);
    armed.add(name);
    await expect(storage.pages.commit(one(A))).rejects.toThrow('planted');
    expect(await storage.pages.head(A)).toBeUndefined();
    expect(await storage.pages.commit(one(A))).toMatchObject({ committed: true });
    expect(await storage.index.page(A)).toMatchObject({ version: 1 });
    await storage.close();
  },
);

test('[DS8] a fault in one of several works of a batch leaves the others', async () => {
  const { storage } = await openWorld({ step }, dataDir);
  armed.add('state.insert');
  const results = await Promise.allSettled([storage.pages.commit(one(A)), storage.pages.commit(one(B))]);
  expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled']);
  expect(await storage.pages.head(A)).toBeUndefined();
  expect(await storage.index.page(A)).toBeUndefined();
  expect(await storage.index.page(B)).toMatchObject({ version: 1 });
  await storage.close();
});

test('[DS9] after a failed sync nothing more is acknowledged or shown', async () => {
  const world = await openWorld({ step }, dataDir);
  await world.storage.pages.commit(one(A));
  armed.add('state.fsync');
  const results = await Promise.allSettled([
    world.storage.pages.commit(one(A, 1)),
    world.storage.groups.groupsOf('ann'),
  ]);
  expect(results[0]).toMatchObject({ status: 'rejected' });
  expect(world.storage.up()).toBe(false);
  await expect(world.storage.pages.commit(one(B))).rejects.toThrow('may not be durable');
  await expect(world.storage.groups.remove('g', 's')).rejects.toThrow('may not be durable');
  expect(await world.storage.index.page(A)).toMatchObject({ version: 1 });
  expect(await world.storage.index.page(B)).toBeUndefined();
  const again = await world.reopen({});
  expect(again.storage.up()).toBe(true);
  const head = await again.storage.pages.head(A);
  expect(await again.storage.index.page(A)).toMatchObject({ version: head?.version });
  expect((await again.storage.pages.commit(one(A, head?.version))).committed).toBe(true);
  await again.storage.close();
});

test('[DS6] a fault of the index is made good from the page store', async () => {
  let saved = false;
  const hears = (name: Step): void => {
    saved ||= name === 'index.commit';
    step(name);
  };
  const world = await openWorld({ step: hears }, dataDir);
  await world.storage.pages.commit(one(A));
  await expect.poll(() => saved, { timeout: 30_000 }).toBe(true);
  armed.add('index.begin');
  expect(await world.storage.pages.commit(one(B))).toMatchObject({ committed: true });
  expect(armed.size).toBe(0);
  expect(await world.storage.index.page(A)).toMatchObject({ version: 1 });
  expect(await world.storage.index.page(B)).toMatchObject({ version: 1 });
  expect(world.log.filter(line => line.msg.includes('index'))).not.toEqual([]);
  const again = await world.reopen({});
  expect(await again.storage.index.page(B)).toMatchObject({ version: 1 });
  await again.storage.close();
});

test('[DS5] what is refused because the store closes was not written, what was taken is', async () => {
  const world = await openWorld({}, dataDir);
  const taken = world.storage.pages.commit(one(A));
  const closing = world.storage.close();
  await expect(world.storage.pages.commit(one(B))).rejects.toThrow('closed');
  expect(await taken).toMatchObject({ committed: true });
  await closing;
  const again = await openWorld({}, dataDir);
  expect(await again.storage.pages.head(A)).toBeDefined();
  expect(await again.storage.pages.head(B)).toBeUndefined();
  await again.storage.close();
});

test('[DS6] listeners hear of each version once, before its writer, whatever they throw', async () => {
  const world = await openWorld({}, dataDir);
  const heard: string[] = [];
  world.storage.onCommitted(() => {
    throw new Error('planted');
  });
  world.storage.onCommitted(({ pageId, version, origin }) => void heard.push(`${pageId} ${version} ${origin}`));
  await world.storage.pages.commit(one(A));
  expect(heard).toEqual([`${A} 1 agent`]);
  await world.storage.pages.commit(one(A, 0));
  await world.storage.pages.commit({ puts: [put(A, 'x', 1, { origin: 'import' }), put(B, 'y')] });
  expect(heard.slice(1)).toEqual([`${A} 2 import`, `${B} 1 agent`]);
  await world.storage.close();
});
