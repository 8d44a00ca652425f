import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Step } from '../../src/storage/sqlite/index.ts';
import { idOf, outside, textOf, type Outside } from './outside-files.ts';
import { note, openWorld, tempFolder } from './world.ts';

let o: Outside;
afterEach(() => o.end());

// The folder as it is right after each step is what a killed process leaves behind.
test('[DS73] [DS76] [DS80] a process that ends while it takes in edits, a rename and a deletion takes in each once', async () => {
  const copies: { step: Step; copy: string }[] = [];
  let recording = false;
  const step = (name: Step): void => {
    if (!recording) return;
    const copy = join(tempFolder(), 'data');
    cpSync(o.world.dataDir, copy, { recursive: true, filter: path => !/lock/.test(path) });
    copies.push({ step: name, copy });
  };
  o = await outside(['a', 'b', 'c'], { step });
  unlinkSync(o.file(idOf('a')));
  renameSync(o.file(idOf('b')), o.file(idOf('z')));
  o.edit(idOf('c'), note('c', 'by hand'));
  o.edit(idOf('d'), textOf('d'));
  recording = true;
  await o.world.storage.reconcile();
  await o.world.storage.whenDrained();
  recording = false;
  expect(new Set(copies.map(copy => copy.step))).toContain('publish.record');
  expect(copies.length).toBeGreaterThan(10);
  const looks = copies.map(async ({ step: name, copy }) => {
    const { storage, log } = await openWorld({}, copy);
    await storage.whenDrained();
    const texts = async (page: string) =>
      Promise.all(
        (await storage.pages.history(idOf(page))).map(async ({ version, origin }) => {
          const content = (await storage.pages.version(idOf(page), version))?.content;
          return `${origin}: ${content?.split('\n').at(-2)}`;
        }),
      );
    const looked = await storage.reconcile();
    const seen = {
      name,
      a: await texts('a'),
      archived: (await storage.pages.head(idOf('a')))?.archived,
      b: await storage.pages.head(idOf('b')),
      z: await texts('z'),
      c: await texts('c'),
      d: await texts('d'),
      files: readdirSync(join(copy, 'markdown/instances/note')).sort(),
      edited: existsSync(join(copy, idOf('c'))) && readFileSync(join(copy, idOf('c')), 'utf8'),
      again: { ...looked, files: 0 },
      errors: log.filter(line => line.level >= 50),
    };
    await storage.close();
    rmSync(join(copy, '..'), { recursive: true });
    expect(seen).toEqual({
      name,
      a: ['agent: text of a', 'external: text of a'],
      archived: true,
      b: undefined,
      z: ['agent: text of b', 'external: text of b'],
      c: ['agent: text of c', 'external: by hand'],
      d: ['external: text of d'],
      files: ['c.md', 'd.md', 'z.md'],
      edited: note('c', 'by hand'),
      again: { files: 0, edited: 0, created: 0, moved: 0, archived: 0, restored: 0, skipped: 0 },
      errors: [],
    });
  });
  await Promise.all(looks);
}, 120_000);
