import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planted } from '../architecture/plant.ts';
import { readTree } from '../architecture/tree.ts';
import { agentSide, closure, DECIDING, decisionsInReach, importersOfDecisions, writesElsewhere } from './writers.ts';

const SRC = join(import.meta.dirname, '../../src');

/** A small tree that breaks no rule. */
const SOUND: Readonly<Record<string, string>> = {
  'rules/model.ts': `export type Version = string;\n`,
  'rules/proposals/propose-rule.op.ts': `import type { Version } from '../model.ts';\nexport const op = (v: Version) => v;\n`,
  'rules/decisions/ports.ts': `import type { Version } from '../model.ts';\nexport interface Writer { decide(v: Version): void }\n`,
  'rules/decisions/decide.ts': `export const plan = 1;\n`,
  'rules/decisions/decide.op.ts': `import { plan } from './decide.ts';\nexport const decide = plan;\n`,
  'storage/sqlite/scopes/rows.ts': `export const rows = 1;\n`,
  'storage/sqlite/scopes/insert-proposed.ts': `import { rows } from './rows.ts';\nexport const sql = [rows, "INSERT INTO rule_version (status) VALUES ('proposed')"];\n`,
  'storage/sqlite/scopes/decide.ts': `import type { Writer } from '../../../rules/decisions/ports.ts';\nexport const sql = ['INSERT INTO rule_version VALUES (@status)', 'INSERT INTO decision VALUES (1)', 'INSERT INTO rejected_fts VALUES (1)'];\nexport type W = Writer;\n`,
  'storage/sqlite/scopes/migrations/0001-init.ts': `export const sql = 'CREATE VIRTUAL TABLE rejected_fts USING fts5 (a)';\n`,
  'app/agent.ts': `import { op } from '../rules/proposals/propose-rule.op.ts';\nexport const agent = op;\n`,
  'app/approval.ts': `import { decide } from '../rules/decisions/decide.op.ts';\nimport { sql } from '../storage/sqlite/scopes/decide.ts';\nexport const approval = [decide, sql];\n`,
};
const found = (check: (root: string) => string[], files: Readonly<Record<string, string>> = {}): string[] =>
  planted({ ...SOUND, ...files }, check);
const without = (...paths: string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(SOUND).filter(([path]) => !paths.some(one => path.startsWith(one))));

describe('AT1', () => {
  test('[RU90] nothing that agents call reaches a decision', () => {
    expect(decisionsInReach(SRC)).toEqual([]);
    const modules = readTree(SRC);
    const reached = closure(modules, agentSide(modules));
    for (const file of [
      'rules/proposals/propose-rule.op.ts',
      'rules/sources/store-source.op.ts',
      'rules/search/search-rules.op.ts',
    ]) {
      expect(reached).toContain(file);
    }
    expect(reached).toContain('kernel/failure.ts');
  });

  test.each([
    [
      'an op',
      'rules/search/search.op.ts',
      `import { decide } from '../decisions/decide.op.ts';`,
      'rules/decisions/decide.op.ts',
    ],
    [
      'a helper of an op',
      'rules/model.ts',
      `export { plan } from './decisions/decide.ts';`,
      'rules/decisions/decide.ts',
    ],
    ['a type', 'rules/model.ts', `import type { Writer } from './decisions/ports.ts';`, 'rules/decisions/ports.ts'],
    [
      'the storage of agents',
      'storage/sqlite/scopes/rows.ts',
      `import { sql } from './decide.ts';`,
      'storage/sqlite/scopes/decide.ts',
    ],
    [
      'the composition of agents',
      'app/agent.ts',
      `import { sql } from '../storage/sqlite/scopes/decide.ts';`,
      'storage/sqlite/scopes/decide.ts',
    ],
    [
      'a dynamic import',
      'app/agent.ts',
      `export const x = () => import('../rules/decisions/decide.op.ts');`,
      'rules/decisions/decide.op.ts',
    ],
  ])('[RU90] %s that reaches one is noticed', (_, path, text, reached) => {
    expect(found(decisionsInReach, { [path]: text })).toContain(`${reached} is in reach of agents`);
  });

  test('[RU90] a sound tree is fine, and looking at nothing is a fault', () => {
    expect(found(decisionsInReach)).toEqual([]);
    expect(planted(without('rules/proposals'), decisionsInReach)).toEqual(['looked at no op that agents call']);
    expect(planted(without('storage/sqlite/scopes/insert'), decisionsInReach)).toEqual([
      'looked at no op that agents call',
    ]);
    expect(decisionsInReach(join(SRC, 'nowhere'))).toEqual(['looked at no op that agents call']);
  });
});

describe('AT2', () => {
  test('[RU91] decisions are imported by the approval side alone', () => {
    expect(importersOfDecisions(SRC)).toEqual([]);
    expect(found(importersOfDecisions)).toEqual([]);
  });

  test.each([
    ['http/routes.ts', `import { decide } from '../rules/decisions/decide.op.ts';`],
    ['rules/index.ts', `export { decide } from './decisions/decide.op.ts';`],
    ['storage/sqlite/scopes/rows.ts', `import type { Writer } from '../../../rules/decisions/ports.ts';`],
    ['app/operator.ts', `import { sql } from '../storage/sqlite/scopes/decide.ts';`],
    ['rules/decisions/x.op.ts', `import { sql } from '../../storage/sqlite/scopes/decide.ts';`],
  ])('[RU91] an import by %s is noticed', (path, text) => {
    expect(found(importersOfDecisions, { [path]: text })).toEqual([expect.stringMatching(`^${path}:1 imports `)]);
  });

  test('[RU91] looking at nothing is a fault', () => {
    expect(planted(without('rules/decisions', 'storage/sqlite/scopes/decide'), importersOfDecisions)).toEqual([
      'looked at no decision',
    ]);
  });
});

describe('AT3', () => {
  test('[RU92] versions and decisions are inserted by their writers alone', () => {
    expect(writesElsewhere(SRC)).toEqual([]);
    expect(found(writesElsewhere)).toEqual([]);
  });

  test.each([
    ['app/x.ts', `'INSERT INTO rule_version VALUES (1)'`, 'inserts into rule_version'],
    ['storage/sqlite/x.ts', '`insert or replace into rule_version\n values (1)`', 'inserts into rule_version'],
    ['storage/sqlite/x.ts', `'REPLACE INTO "rule_version" VALUES (1)'`, 'inserts into rule_version'],
    ['storage/sqlite/x.ts', `'INSERT INTO ' + 'rule_version VALUES (1)'`, 'inserts into rule_version'],
    ['storage/sqlite/scopes/migrations/0009.ts', `'INSERT INTO rule_version VALUES (1)'`, 'inserts into rule_version'],
    [
      'storage/sqlite/scopes/insert-proposed.ts',
      `"INSERT INTO rule_version (status) VALUES ('confirmed')"`,
      'not plainly proposed',
    ],
    [
      'storage/sqlite/scopes/insert-proposed.ts',
      `"INSERT INTO rule_version (status) VALUES (@status) -- 'proposed'"`,
      'not plainly proposed',
    ],
    ['storage/sqlite/scopes/insert-proposed.ts', `'INSERT INTO decision VALUES (1)'`, 'inserts into decision'],
    ['storage/sqlite/scopes/rows.ts', `'INSERT INTO decision VALUES (1)'`, 'inserts into decision'],
    ['storage/sqlite/scopes/rows.ts', "`INSERT INTO ${'rule'}_version VALUES (1)`", 'named at run time'],
    ['storage/sqlite/scopes/rows.ts', `['INSERT INTO ', name]`, 'puts INSERT together'],
    ['storage/sqlite/scopes/rows.ts', `'SELECT * FROM rejected_fts'`, 'names rejected_fts'],
    ['rules/x.ts', `'rejected_fts'`, 'names rejected_fts'],
  ])('[RU92] in %s, %s is noticed', (path, text, report) => {
    const extra = SOUND[path]?.startsWith('import') ? SOUND[path] : '';
    expect(found(writesElsewhere, { [path]: `${extra}export const planted = ${text};\n` }).join('\n')).toContain(
      report,
    );
  });

  test('[RU92] looking at nothing is a fault', () => {
    expect(writesElsewhere(join(SRC, 'kernel'))).toEqual([
      'looked at no insert into rule_version',
      'looked at no insert into decision',
    ]);
  });
});

describe('AT4', () => {
  const named = async (paths: readonly string[]): Promise<{ name: string; surface: string }[]> => {
    const modules = await Promise.all(paths.map(path => import(join(SRC, path)) as Promise<Record<string, unknown>>));
    return modules.flatMap(module => Object.values(module)).filter(isOp);
  };
  const isOp = (value: unknown): value is { name: string; surface: string } =>
    typeof value === 'object' && value !== null && 'surface' in value && 'name' in value;

  test('[RU93] no op that agents call is named like a decision', async () => {
    const paths = readTree(SRC)
      .map(({ path }) => path)
      .filter(path => path.startsWith('rules/') && path.endsWith('.op.ts'));
    const ops = await named(paths);
    expect(ops).toHaveLength(paths.length);
    const rules = ops.filter(({ surface }) => surface === 'rules').map(({ name }) => name);
    expect([...new Set(rules)].sort()).toEqual([
      'feedback',
      'list_proposals',
      'list_rules',
      'propose_rule',
      'provenance',
      'read_rule',
      'read_source',
      'scopes',
      'search_rules',
      'status',
      'store_source',
    ]);
    expect(rules.filter(name => DECIDING.test(name))).toEqual([]);
    const decisions = await named(paths.filter(path => path.startsWith('rules/decisions/')));
    expect(decisions.map(({ surface }) => surface)).toEqual(decisions.map(() => 'approval'));
    expect(decisions.some(({ name }) => DECIDING.test(name))).toBe(true);
  });
});
