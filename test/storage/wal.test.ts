import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { note, openWorld, put } from './world.ts';

const MIB = 1024 * 1024;

test('[DS54] the WAL stays bounded while four writers go on, and nothing is lost', async () => {
  const world = await openWorld();
  const size = (name: string): number => statSync(join(world.dataDir, `${name}-wal`)).size;
  const paragraph = `${'Wörter über Wörter '.repeat(80)}\n\n`;
  const largest = { 'state.sqlite': 0, 'index.sqlite': 0 };
  let written = 0;
  await Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 80; n++) {
        const text = note(`w${writer}-${n}`, `${writer} ${n} ${paragraph.repeat(200)}`);
        await world.storage.pages.commit({ puts: [put(`markdown/w${writer}/${n}.md`, text)] });
        written += Buffer.byteLength(text);
        for (const name of ['state.sqlite', 'index.sqlite'] as const)
          largest[name] = Math.max(largest[name], size(name));
      }
    }),
  );
  expect(written).toBeGreaterThan(100 * MIB);
  expect(largest['state.sqlite']).toBeLessThan(56 * MIB);
  expect(largest['index.sqlite']).toBeLessThan(56 * MIB);
  expect(world.log.filter(line => line.level >= 40)).toEqual([]);
  await world.storage.close();
  expect(readdirSync(world.dataDir).filter(name => name.includes('-'))).toEqual([]);
  const again = await openWorld({}, world.dataDir);
  for (let n = 0; n < 80; n++)
    expect(await again.storage.pages.head(`markdown/w3/${n}.md`)).toMatchObject({ version: 1 });
  await again.end();
});
