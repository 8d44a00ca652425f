import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from './conformance/judge.ts';
import { reasonFor, RUN, SKIPPED, UNTESTABLE } from './conformance/scenarios.ts';
import { checksOf, conformanceWorld, scenariosOf, type Suite } from './conformance/suite.ts';
import type { World } from './world.ts';

const ROOT = join(import.meta.dirname, '../..');
const SUITE: Suite = [
  process.execPath,
  '--import',
  join(import.meta.dirname, 'conformance/glob-sync.mjs'),
  join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
];
const HERE = RUN.filter(
  name => !['server-session-lifecycle', 'server-stateless', 'caching', 'http-header-validation'].includes(name),
);

describe('the conformance suite, release 0.1.16', () => {
  let w: World;
  beforeAll(async () => void (w = await conformanceWorld()));
  afterAll(() => w.stop(0));

  test.each(HERE)('[HT55] %s', async scenario => {
    const checks = await checksOf(SUITE, `${w.url}/mcp`, scenario, '2025-11-25');
    expect(faultsOf(scenario, checks)).toEqual([]);
  });

  test('[HT55] every scenario is run or left out for a reason', async () => {
    const names = (await scenariosOf(SUITE)).map(scenario => scenario.name);
    expect(names).toEqual(expect.arrayContaining(HERE));
    expect(names.filter(name => !RUN.includes(name) && reasonFor(name) === undefined)).toEqual([]);
  });

  test('[HT55] the reasons stand in the documentation', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/mcp-conformance.md'), 'utf8').replaceAll(/ +\|/g, ' |');
    const rows = [
      ...Object.entries(SKIPPED),
      ...Object.values(UNTESTABLE).flatMap(checks => Object.entries(checks)),
    ].map(([name, reason]) => `| \`${name}\` | ${reason} |`);
    for (const row of rows) expect(page).toContain(row);
    expect(page.match(/^\| `/gm)).toHaveLength(rows.length);
    for (const name of RUN) expect(page).toContain(`- \`${name}\``);
  });
});
