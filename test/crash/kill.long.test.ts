import { expect, test } from 'vitest';
import { STEPS } from '../../src/storage/sqlite/index.ts';
import { crashRuns, randomKill } from './crash-runs.ts';

const cases = STEPS.flatMap(step => [1, 3, 8, 21].map(occurrence => ({ step, occurrence })));

test.each(cases)('[DS80] killed at $step, time $occurrence', async killAt => {
  const runs = crashRuns();
  const look = await runs.run({ writers: 8, commits: 5000, killAt });
  expect(look).toEqual({ end: 'SIGKILL', faults: [] });
  runs.remove();
});

test('[DS80] killed at 200 random moments under 8 writers', { timeout: 1_200_000 }, async () => {
  for (let folder = 0; folder < 10; folder++) {
    const runs = crashRuns();
    for (let n = 0; n < 20; n++) {
      const look = await runs.run({ writers: 8, commits: 1_000_000, killAt: null }, randomKill(n, 400));
      expect([look.end, ...look.faults].join('\n')).toBe('SIGKILL');
    }
    expect(runs.count()).toBeGreaterThan(0);
    runs.remove();
  }
});
