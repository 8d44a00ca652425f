import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFaults, machineTraces } from './hygiene.ts';
import { ROOT, trackedTexts } from './tracked.ts';

test('no tracked file names a path of a machine or a registry', () => {
  const files = trackedTexts();
  expect(files.length).toBeGreaterThan(0);
  expect(machineTraces(files)).toEqual([]);
});

test('the lock file pins contents, not addresses', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Parameters<typeof lockFaults>[0];
  expect(Object.keys(lock.packages).length).toBeGreaterThan(1);
  expect(lockFaults(lock)).toEqual([]);
});

test('traces and faults are reported', () => {
  const home = ['', 'home', 'ann', 'x'].join('/');
  const host = ['registry', 'npmjs', 'org'].join('.');
  expect(machineTraces([{ path: 'a.md', text: `one\nsee ${home}\nfrom https://${host}/x\n` }])).toEqual([
    `a.md:2: ${home.slice(0, 7)}`,
    `a.md:3: ${host}`,
  ]);
  const packages = {
    '': {},
    web: {},
    'node_modules/web': { resolved: 'web', link: true },
    'node_modules/a': { integrity: 'sha512-x' },
    'node_modules/b': { resolved: 'https://host.example/b.tgz', integrity: 'sha512-x' },
    'node_modules/c': {},
  };
  expect(lockFaults({ packages })).toEqual([
    'node_modules/b: resolved names an address',
    'node_modules/c: no integrity',
  ]);
});
