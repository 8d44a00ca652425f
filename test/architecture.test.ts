import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { offences, tooLong } from './architecture/offences.ts';
import { TABLE } from './architecture/table.ts';
import { packageOf, readTree } from './architecture/tree.ts';

const ROOT = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
const needed = Object.keys({
  ...manifest['dependencies'],
  ...manifest['optionalDependencies'],
  ...manifest['peerDependencies'],
});

describe('architecture', () => {
  test('the sources follow every rule', () => {
    expect(offences(join(ROOT, 'src'))).toEqual([]);
  });

  test('nothing beside the sources is over the length limit', () => {
    const beside = ['test', 'bench', 'examples', 'scripts'].flatMap(folder => readTree(join(ROOT, folder)));
    expect(beside.length).toBeGreaterThan(0);
    expect(beside.flatMap(tooLong)).toEqual([]);
  });

  test('the table opens only packages that an installation brings', () => {
    const opened = Object.values(TABLE).flatMap(row => (row.packages === 'all' ? [] : row.packages));
    expect(opened.length).toBeGreaterThan(0);
    expect(opened.filter(name => !needed.includes(name))).toEqual([]);
  });

  test('the sources use every package that an installation brings, and no other', () => {
    const edges = readTree(join(ROOT, 'src')).flatMap(module => module.imports);
    const foreign = edges.filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'));
    const used = new Set(foreign.map(({ specifier }) => packageOf(specifier)));
    expect([...used].filter(name => !needed.includes(name))).toEqual([]);
    expect(Object.keys(manifest['dependencies'] ?? {}).filter(name => !used.has(name))).toEqual([]);
  });
});
