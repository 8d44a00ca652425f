import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from './conformance/judge.ts';
import { reasonFor, RUN } from './conformance/scenarios.ts';
import { checksOf, conformanceWorld, run, scenariosOf, type Suite } from './conformance/suite.ts';
import type { World } from './world.ts';

const RELEASE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** It needs Node 22, which npm brings as a package. */
const SUITE: Suite = ['npx', '--yes', '-p', 'node@22', '-p', RELEASE, 'conformance'];

const missing = await run(SUITE, ['--version']).then(
  ({ code, output }) => (code === 0 ? undefined : output),
  (error: Error) => error.message,
);
if (missing !== undefined) process.stderr.write(`conformance 0.2 is skipped, npx cannot bring it: ${missing}\n`);

describe.skipIf(missing !== undefined)('the conformance suite, release 0.2', () => {
  let w: World;
  let scenarios: { name: string; revisions: string[] }[];
  beforeAll(async () => {
    w = await conformanceWorld();
    scenarios = await scenariosOf(SUITE);
  });
  afterAll(() => w.stop(0));

  test.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])('[HT55] revision %s', async revision => {
    const names = scenarios.filter(each => each.revisions.includes(revision)).map(each => each.name);
    const here = names.filter(name => RUN.includes(name));
    expect(here.length).toBeGreaterThan(0);
    const faults: Record<string, string[]> = {};
    for (const name of here) {
      const found = faultsOf(name, await checksOf(SUITE, `${w.url}/mcp`, name, revision));
      if (found.length > 0) faults[name] = found;
    }
    expect(faults).toEqual({});
  });

  test('[HT55] every scenario is run or left out for a reason', () => {
    const names = scenarios.map(scenario => scenario.name);
    expect(names).toEqual(expect.arrayContaining([...RUN]));
    expect(names.filter(name => !RUN.includes(name) && reasonFor(name) === undefined)).toEqual([]);
  });
});
