import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planted } from '../architecture/plant.ts';
import { readTree, targetOf, type Module } from '../architecture/tree.ts';
import { OPS_ROUTES } from '../../src/cli/operator/routes.ts';

const SRC = join(import.meta.dirname, '../../src');

/** What no command may bring along: whatever decides, writes, serves or says who somebody is. */
const KEPT_AWAY = [
  /^rules\/(decisions|structure|redaction|export)\//,
  /^(http|auth|storage|app)\//,
  /\.op\.ts$/,
  /^rules\/proposals\/(?!schema\.ts$)/,
  /^rules\/sources\/(?!schema\.ts$)/,
];
/** Taking in a folder of pages reads pages, and with them their access rules; it knows nothing of rules. */
const KEPT_FROM_IMPORT = [/^(rules|http|storage|app)\//, /\.op\.ts$/];
/** What is loaded when a command runs: the composition, and the reader of pages. */
const DOORS = new Map([
  ['cli/serve.ts', 'app/serve.ts'],
  ['cli/dev.ts', 'app/dev.ts'],
  ['cli/import.ts', 'cli/import/import-folder.ts'],
  ['cli/models.ts', 'app/models.ts'],
  ['cli/import/import-folder.ts', 'app/import.ts'],
]);

/** AT6: one line for everything that commands reach and must not; the doors are looked at, not passed. */
function reached(root: string): string[] {
  const modules = new Map(readTree(root).map(module => [module.path, module]));
  const commands = [...modules.keys()].filter(path => path.startsWith('cli/'));
  if (!commands.includes('cli/main.ts')) return ['looked at no command'];
  const importing = commands.filter(path => path.startsWith('cli/import/'));
  const rest = commands.filter(path => !importing.includes(path));
  return [...closure(modules, rest, KEPT_AWAY), ...closure(modules, importing, KEPT_FROM_IMPORT)].toSorted();
}

function closure(modules: ReadonlyMap<string, Module>, from: readonly string[], away: readonly RegExp[]): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const module = modules.get(path);
    if (!module || seen.has(path)) continue;
    seen.add(path);
    for (const target of next(module, found)) waiting.push(target);
  }
  return [...found, ...[...seen].filter(path => away.some(kept => kept.test(path)))];
}

function next(module: Module, found: string[]): string[] {
  return module.imports.flatMap(edge => {
    const target = targetOf(module.path, edge);
    if (target === undefined) return [];
    if (DOORS.get(module.path) === target && edge.kind === 'dynamic') return [];
    if (edge.kind !== 'dynamic' || target.startsWith('cli/')) return [target];
    if (module.path.startsWith('cli/')) found.push(`${module.path} loads ${target}`);
    return [];
  });
}

const SOUND: Readonly<Record<string, string>> = {
  'cli/main.ts': `export const load = () => import('./scope.ts');\n`,
  'cli/scope.ts': `import { S } from '../rules/operator/schema.ts';\nexport const s = S;\n`,
  'cli/serve.ts': `export const serve = () => import('../app/serve.ts');\n`,
  'rules/operator/schema.ts': `export const S = 1;\n`,
  'app/serve.ts': `import { x } from '../storage/sqlite/x.ts';\nexport const serve = x;\n`,
  'storage/sqlite/x.ts': `export const x = 1;\n`,
};
const found = (files: Readonly<Record<string, string>> = {}): string[] => planted({ ...SOUND, ...files }, reached);

describe('AT6', () => {
  test('[CL27] commands reach no writer', () => {
    expect(reached(SRC)).toEqual([]);
  });

  test.each([
    ['cli/scope.ts', `import { x } from '../storage/sqlite/x.ts';\nexport const s = x;\n`, 'storage/sqlite/x.ts'],
    ['rules/operator/schema.ts', `export { d } from '../decisions/decide.ts';\n`, 'rules/decisions/decide.ts'],
    [
      'rules/operator/schema.ts',
      `import type { P } from '../proposals/ports.ts';\nexport type Q = P;\n`,
      'rules/proposals/ports.ts',
    ],
    ['rules/operator/schema.ts', `export { a } from './add.op.ts';\n`, 'rules/operator/add.op.ts'],
    ['cli/scope.ts', `export const s = () => import('../app/serve.ts');\n`, 'cli/scope.ts loads app/serve.ts'],
    [
      'cli/import/import-folder.ts',
      `import { S } from '../../rules/operator/schema.ts';\nexport const s = S;\n`,
      'rules/operator/schema.ts',
    ],
    ['cli/serve.ts', `import { serve } from '../app/serve.ts';\nexport const s = serve;\n`, 'app/serve.ts'],
  ])('[CL27] %s that holds %j is noticed', (path, text, report) => {
    const more = {
      'rules/decisions/decide.ts': 'export const d = 1;\n',
      'rules/proposals/ports.ts': 'export type P = 1;\n',
      'rules/operator/add.op.ts': 'export const a = 1;\n',
    };
    expect(found({ ...more, [path]: text })).toContain(report);
  });

  test('[CL27] a sound tree is fine, and looking at nothing is a fault', () => {
    expect(found()).toEqual([]);
    expect(reached(join(SRC, 'nowhere'))).toEqual(['looked at no command']);
  });

  test('[CL27] the table of requests holds routes of the operator and no other', () => {
    expect(Object.values(OPS_ROUTES).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /ops/status',
      'GET /ops/grants',
      'POST /ops/grants',
      'POST /ops/grants/:id/rename',
      'POST /ops/grants/:id/disable',
      'POST /ops/scopes',
    ]);
  });
});
