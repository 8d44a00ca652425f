import { describe, expect, test } from 'vitest';
import { offences } from './offences.ts';
import { planted, SOUND } from './plant.ts';

const found = (files: Readonly<Record<string, string>>): string[] => planted({ ...SOUND, ...files }, offences);

const FAULTS: readonly (readonly [name: string, path: string, text: string, report: string])[] = [
  [
    'a domain imports a later domain',
    'auth/x.ts',
    `import { expand } from '../pages/expand.op.ts';`,
    'auth/x.ts:1: ../pages/expand.op.ts is in pages, which this folder may not import',
  ],
  [
    'a domain imports storage',
    'pages/x.ts',
    `\nimport { rows } from '../storage/sqlite/pages.ts';`,
    'pages/x.ts:2: ../storage/sqlite/pages.ts is in storage/sqlite, which this folder may not import',
  ],
  [
    'one storage imports another',
    'storage/lanes/x.ts',
    `import { rows } from '../sqlite/pages.ts';`,
    'storage/lanes/x.ts:1: ../sqlite/pages.ts is in storage/sqlite, which this folder may not import',
  ],
  [
    'an import past the face',
    'pages/x.ts',
    `import { guard } from '../auth/guard.ts';`,
    'pages/x.ts:1: ../auth/guard.ts is no part of the face of auth',
  ],
  [
    'an op where only types are open',
    'storage/sqlite/x.ts',
    `import { expand } from '../../pages/expand.op.ts';`,
    'storage/sqlite/x.ts:1: ../../pages/expand.op.ts is no part of the face of pages',
  ],
  [
    'search reads more of auth than data',
    'search/x.ts',
    `import { guard } from '../auth/guard.ts';`,
    'search/x.ts:1: ../auth/guard.ts is no part of the face of auth',
  ],
  [
    'the command imports the app at start',
    'cli/x.ts',
    `import { all } from '../app/server.ts';`,
    'cli/x.ts:1: ../app/server.ts may be imported dynamically only',
  ],
  [
    'a type counts',
    'pages/x.ts',
    `import type { rows } from '../storage/sqlite/pages.ts';`,
    'pages/x.ts:1: ../storage/sqlite/pages.ts is in storage/sqlite, which this folder may not import',
  ],
  [
    'a re-export counts',
    'pages/x.ts',
    `export { rows as r } from '../storage/sqlite/pages.ts';`,
    'pages/x.ts:1: ../storage/sqlite/pages.ts is in storage/sqlite, which this folder may not import',
  ],
  [
    'a dynamic import counts',
    'pages/x.ts',
    `export const f = () => import('../storage/sqlite/pages.ts');`,
    'pages/x.ts:1: ../storage/sqlite/pages.ts is in storage/sqlite, which this folder may not import',
  ],
  [
    'an import inside a template counts',
    'pages/x.ts',
    'export const f = `${await import("../app/server.ts")}`;',
    'pages/x.ts:1: ../app/server.ts is in app, which this folder may not import',
  ],
  [
    'a worker counts',
    'pages/x.ts',
    `export const u = new URL('../app/server.ts', import.meta.url);`,
    'pages/x.ts:1: ../app/server.ts is in app, which this folder may not import',
  ],
  [
    'a worker with a computed ending counts',
    'pages/x.ts',
    'export const u = new URL(`../app/server${end}`, import.meta.url);',
    'pages/x.ts:1: ../app/server.ts is in app, which this folder may not import',
  ],
  ['a target that is not there', 'pages/x.ts', `import './gone.ts';`, 'pages/x.ts:1: ./gone.ts is not there'],
  [
    'a domain opens files',
    'pages/x.ts',
    `import { readFileSync } from 'node:fs';`,
    'pages/x.ts:1: node:fs is no module for this folder',
  ],
  [
    'a node module without its prefix',
    'pages/x.ts',
    `import { readFileSync } from 'fs';`,
    'pages/x.ts:1: fs is no package for this folder',
  ],
  ['the kernel opens files', 'kernel/x.ts', `import 'node:fs';`, 'kernel/x.ts:1: node:fs is no module for this folder'],
  [
    'a domain takes a driver',
    'auth/x.ts',
    `import Database from 'better-sqlite3';`,
    'auth/x.ts:1: better-sqlite3 is no package for this folder',
  ],
  [
    'a domain takes a framework',
    'pages/x.ts',
    `import { Hono } from 'hono/tiny';`,
    'pages/x.ts:1: hono/tiny is no package for this folder',
  ],
  [
    'a scoped package',
    'cli/x.ts',
    `import { serve } from '@hono/node-server/x';`,
    'cli/x.ts:1: @hono/node-server/x is no package for this folder',
  ],
  ['an unknown folder', 'helpers/x.ts', `export const x = 1;`, 'helpers/x.ts: no row of the table names its folder'],
  [
    'an unknown storage',
    'storage/mongo/x.ts',
    `export const x = 1;`,
    'storage/mongo/x.ts: no row of the table names its folder',
  ],
  ['a file beside the folders', 'x.ts', `export const x = 1;`, 'x.ts: no row of the table names its folder'],
  [
    'SQL outside storage',
    'pages/x.ts',
    `export const q = 'SELECT page_id FROM page WHERE x = ?';`,
    'pages/x.ts:1: SQL outside storage',
  ],
  [
    'SQL in a template',
    'http/x.ts',
    'export const q = (t: string) => `\n  insert into ${t}\n  values (1)`;',
    'http/x.ts:1: SQL outside storage',
  ],
  [
    'SQL in two halves',
    'app/x.ts',
    `export const q = 'UPDATE page ' +\n  'SET title = ?';`,
    'app/x.ts:1: SQL outside storage',
  ],
  ['a file of 601 lines', 'pages/x.ts', '//\n'.repeat(601), 'pages/x.ts: 601 lines, over 600'],
  ['a default export', 'pages/x.ts', `export default function f() {}`, 'pages/x.ts:1: a default export is refused'],
  [
    'a default export by name',
    'pages/x.ts',
    `const x = 1;\nexport { x as default };`,
    'pages/x.ts:2: a default export is refused',
  ],
  ['a barrel', 'pages/index.ts', `export * from './ports.ts';`, 'pages/index.ts:1: `export *` is refused'],
  [
    'a named barrel',
    'pages/index.ts',
    `export * as ports from './ports.ts';`,
    'pages/index.ts:1: `export *` is refused',
  ],
  ['require', 'storage/sqlite/x.ts', `export const x = require('fs');`, 'storage/sqlite/x.ts:1: require is refused'],
  ['createRequire', 'app/x.ts', `import { createRequire } from 'node:module';`, 'app/x.ts:1: createRequire is refused'],
  [
    'a computed import',
    'app/x.ts',
    `export const f = (x: string) => import(x);`,
    'app/x.ts:1: an import whose target is computed is refused',
  ],
  [
    'a way round',
    'pages/x.ts',
    `// architecture-ignore\nexport const x = 1;`,
    'pages/x.ts: architecture-ignore switches a rule off',
  ],
  [
    'a linter switched off',
    'pages/x.ts',
    `/* oxlint-disable import/no-cycle */\nexport const x = 1;`,
    'pages/x.ts: oxlint-disable switches a rule off',
  ],
];

describe('planted faults', () => {
  test('a sound tree has no offence', () => expect(found({})).toEqual([]));

  test.each(FAULTS)('%s is reported', (_name, path, text, report) => {
    expect(found({ [path]: text })).toEqual([report]);
  });

  test('a cycle is reported once', () => {
    const files = {
      'pages/a.ts': `import { b } from './b.ts';\nexport const a = b;`,
      'pages/b.ts': `import { c } from './c.ts';\nexport const b = c;`,
      'pages/c.ts': `import type { a } from './a.ts';\nexport const c = 1;`,
    };
    expect(found(files)).toEqual(['pages/a.ts -> pages/b.ts -> pages/c.ts -> pages/a.ts: a cycle']);
  });

  test('a tree of long files is reported even when no single one is over the limit', () => {
    const long = Object.keys(SOUND).map((path, index) => [
      path.replace(/[^/]+$/, `long-${index}.ts`),
      '//\n'.repeat(121),
    ]);
    expect(found(Object.fromEntries([...long, ['pages/one-more.ts', '//\n'.repeat(121)]]))).toEqual([
      'the median file has 121 lines, over 120',
    ]);
  });

  test('an empty tree and a missing one are offences', () => {
    expect(planted({}, offences)).toEqual([expect.stringMatching(/: looked at no file$/)]);
    expect(planted({ 'pages/notes.md': 'no code' }, offences)).toEqual([expect.stringMatching(/: looked at no file$/)]);
    expect(planted({}, root => offences(`${root}/gone`))).toEqual([expect.stringMatching(/: looked at no file$/)]);
  });

  test('words that only look like imports or statements are none', () => {
    const text = [
      `// import '../app/server.ts'`,
      `/* export * from '../app/server.ts' */`,
      `export const a = "import x from '../app/server.ts'";`,
      `export const b = 'Select one from the list, then update the page and set its title';`,
      'export const c = `delete ${a} from nothing: create a table by hand`;',
      `export const d = /import '..\\/app'/;`,
      `export const e = { import: 1, export: 2, default: 3 };`,
      `export const f = e.import / 2 / e.default;`,
    ].join('\n');
    expect(found({ 'pages/x.ts': text })).toEqual([]);
  });
});
