import { afterEach, beforeEach, expect, test } from 'vitest';
import { STEPS } from '../../src/storage/sqlite/index.ts';
import { crashRuns, randomKill, type CrashRuns } from './crash-runs.ts';

let runs: CrashRuns;
beforeEach(() => {
  runs = crashRuns();
});
afterEach(() => runs.remove());

test.each(STEPS)('[DS80] killed at %s', async step => {
  const look = await runs.run({ writers: 8, commits: 400, killAt: { step, occurrence: 2 } });
  expect(look).toEqual({ end: 'SIGKILL', faults: [] });
});

test('[DS80] a run that ends by itself leaves every page whole', async () => {
  const look = await runs.run({ writers: 8, commits: 30, killAt: null });
  expect(look).toEqual({ end: '0', faults: [] });
  expect(runs.count()).toBeGreaterThan(100);
});

test(
  '[DS80] killed at 20 random moments under 8 writers, each run going on where the last was killed',
  { timeout: 300_000 },
  async () => {
    for (let n = 0; n < 20; n++) {
      const look = await runs.run({ writers: 8, commits: 1_000_000, killAt: null }, randomKill(n, 150));
      expect(look).toEqual({ end: 'SIGKILL', faults: [] });
    }
    expect(runs.count()).toBeGreaterThan(0);
  },
);
