import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../storage/child.ts';
import { tempFolder } from '../storage/world.ts';
import type { ModelCrashRun } from './model-crash.child.ts';

const DEADLY = 'ends the process';
const SAYINGS = Array.from({ length: 12 }, (_, at) => (at === 5 ? `This one ${DEADLY}.` : `Pump ${at * 7919} runs.`));

test('[VL14] a text that ends the process is found by asking one by one, and left out from the third start on', async () => {
  const folder = tempFolder();
  const journal = join(folder, 'journal');
  const run: ModelCrashRun = { dataDir: join(folder, 'data'), journal, deadly: DEADLY, sayings: SAYINGS };
  const start = () => startChild('crash/model-crash.child.ts', [JSON.stringify(run)]);
  const asked = (): string[][] =>
    readFileSync(journal, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as string[]);
  try {
    expect(await start().ended()).toBe('SIGKILL');
    expect(asked()).toHaveLength(1);
    for (const _ of ['first', 'second']) expect(await start().ended()).toBe('SIGKILL');
    for (const batch of asked().slice(1)) expect(batch).toHaveLength(1);
    expect(asked().filter(batch => batch.some(text => text.includes(DEADLY)))).toHaveLength(3);
    for (const _ of ['once', 'again']) {
      const child = start();
      const told = JSON.parse(await child.line('{')) as object;
      expect(await child.ended()).toBe(0);
      expect(told).toEqual({
        done: SAYINGS.length,
        total: SAYINGS.length,
        parked: [
          {
            block: expect.stringMatching(/^instances\/p5\.md#/),
            reason: 'the process ended twice while it was embedded',
          },
        ],
      });
    }
    // Nobody pays for the one: what was answered before the end is kept, and no other text is asked for in vain twice.
    const others = asked()
      .slice(1)
      .flat()
      .filter(text => !text.includes(DEADLY));
    expect(new Set(others).size).toBe(others.length);
    expect(others).toHaveLength(SAYINGS.length - 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
