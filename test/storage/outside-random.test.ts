import { existsSync, readdirSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idOf, outside, type Outside } from './outside-files.ts';
import { note, put } from './world.ts';

const NAMES = ['a', 'b', 'c', 'd'];

interface Act {
  readonly kind: 'write' | 'edit' | 'delete' | 'rename' | 'pause' | 'reopen';
  readonly name: string;
  /** Where a rename goes. */
  readonly to: string;
}

const KINDS = ['write', 'write', 'edit', 'edit', 'delete', 'rename', 'rename', 'pause', 'reopen'] as const;
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(...KINDS),
  name: fc.constantFrom(...NAMES),
  to: fc.constantFrom(...NAMES),
});

/** Plays agents and people at once; remembers what must not be lost. */
function player(o: Outside) {
  /** Texts that agents were told are stored. */
  const stored = new Set<string>();
  /** The last text that somebody left in a file, while nobody took it away again. */
  const left = new Map<string, string>();
  let count = 0;
  // Every text has a length of its own, as file systems with coarse clocks ask for.
  const text = (): string => note(`n${++count}`, `word${count} ${'x'.repeat(count)}`);

  return {
    stored,
    left,
    async play(one: Act): Promise<void> {
      if (one.kind === 'pause') await new Promise(resolve => setTimeout(resolve, 150)); // so that the watcher gets a turn
      else if (one.kind === 'reopen') await o.whileStopped(() => undefined);
      else if (one.kind === 'write') {
        const content = text();
        const base = (await o.world.storage.pages.head(idOf(one.name)))?.version ?? 0;
        const { committed } = await o.world.storage.pages.commit({ puts: [put(idOf(one.name), content, base)] });
        if (committed) stored.add(content);
      } else if (one.kind === 'edit') {
        left.set(one.name, text());
        o.edit(idOf(one.name), left.get(one.name)!);
      } else if (existsSync(o.file(idOf(one.name)))) {
        const had = left.get(one.name);
        left.delete(one.name);
        if (one.kind === 'delete') return unlinkSync(o.file(idOf(one.name)));
        renameSync(o.file(idOf(one.name)), o.file(idOf(one.to)));
        left.delete(one.to);
        if (had !== undefined) left.set(one.to, had);
      }
    },
  };
}

async function untilQuiet({ world }: Outside): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    await world.storage.whenDrained();
    const { files: _, ...found } = await world.storage.reconcile();
    quiet = Object.values(found).every(number => number === 0) ? quiet + 1 : 0;
  }
}

async function histories({ world: { storage } }: Outside): Promise<Set<string | undefined>> {
  const texts = new Set<string | undefined>();
  for await (const rows of storage.ledger.walk()) {
    for (const { pageId } of rows) {
      for (const { version } of await storage.pages.history(pageId)) {
        texts.add((await storage.pages.version(pageId, version))?.content);
      }
    }
  }
  return texts;
}

test('[DS79] agents write while people edit, delete and rename: nothing is lost, and all agree in the end', async () => {
  const property = fc.asyncProperty(
    fc.boolean(),
    fc.array(act, { minLength: 4, maxLength: 24 }),
    async (watch, acts) => {
      const o = await outside([], { watch });
      try {
        const { play, stored, left } = player(o);
        for (const each of NAMES) await play({ kind: 'write', name: each, to: each });
        await o.world.storage.whenDrained();
        for (const one of acts) await play(one);
        await untilQuiet(o);
        const texts = await histories(o);
        expect([...stored].filter(text => !texts.has(text))).toEqual([]);
        expect([...left.values()].filter(text => !texts.has(text))).toEqual([]);
        for (const each of NAMES) {
          const head = await o.world.storage.pages.head(idOf(each));
          const file = existsSync(o.file(idOf(each))) ? readFileSync(o.file(idOf(each)), 'utf8') : undefined;
          expect([each, file]).toEqual([each, head?.archived === false ? head.content : undefined]);
          expect((await o.world.storage.index.page(idOf(each)))?.sha256).toBe(
            head?.archived ? undefined : head?.sha256,
          );
        }
        expect(readdirSync(join(o.file('markdown'), 'instances/note')).length).toBeLessThanOrEqual(NAMES.length);
        expect(o.world.log.filter(line => line.level >= 50)).toEqual([]);
      } finally {
        await o.end();
      }
    },
  );
  await fc.assert(property, { numRuns: Number(process.env['OUTSIDE_RUNS'] ?? 5), endOnFailure: true });
});
