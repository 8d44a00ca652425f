import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createScopeFile } from '../../src/storage/sqlite/scopes/create.ts';
import { makeScopesFolder } from '../../src/storage/sqlite/scopes/create.ts';
import { init } from '../../src/storage/sqlite/scopes/migrations/0001-init.ts';
import { SCOPE_MIGRATIONS } from '../../src/storage/sqlite/scopes/migrations/list.ts';
import { connect } from '../../src/storage/sqlite/scopes/connect.ts';
import { decide, proposed, stocked, world, type World } from './world.ts';

const AT = '2026-03-01T10:00:00Z';
const folders: string[] = [];
let here: World | undefined;
afterEach(() => {
  here?.close();
  here = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A scope of the first schema, with a row in each table that a later step makes anew. */
function oldScope(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-old-'));
  folders.push(folder);
  makeScopesFolder(join(folder, 'scopes'));
  const path = join(folder, 'scopes', 'sales.sqlite');
  createScopeFile(path, 'sales', AT, [init], {});
  const db = connect(path);
  const version = `'rule', 'A statement that is long enough', 'mail:<1@x>', 'a quote of twenty characters', NULL, NULL, '${AT}',
    NULL, '[]', '["rails"]', '2026-03-01', NULL, NULL, NULL`;
  db.exec(`
    INSERT INTO source VALUES ('mail:<1@x>', 'mail', 't', '${AT}', NULL, NULL, NULL, 'a quote of twenty characters', 'x', '${AT}',
      'service:2');
    INSERT INTO rule VALUES (1, 'sales-0001', '${AT}', 'service:2');
    INSERT INTO rule_version VALUES ('sales-0001', 1, ${version}, 'proposed', 'r', 'service:2', '${AT}');
    INSERT INTO rule_version VALUES ('sales-0001', 2, ${version}, 'confirmed', 'r', 'person:1', '${AT}');
    INSERT INTO decision VALUES (7, 'sales-0001', 1, 'confirm', 'person:1', 'a@example.com', '${AT}', 'fine', 2);
    INSERT INTO search_log VALUES ('s1', '${AT}', 'person:1', 'mcp', 'search', 200, 0, '[]', '[]', '{}', '{}', NULL);
    INSERT INTO feedback VALUES (3, 's1', 'rule/sales-0001', 'missing', 'person:1', '${AT}');
    INSERT INTO rule_fts (rowid, keywords, statement, relations, quote)
      VALUES (1, 'rails', 'A statement that is long enough', '', 'a quote of twenty characters');`);
  db.close();
  return folder;
}

test('[RU5, RU103] a scope of the first schema keeps every row through all steps, and works on', async () => {
  here = world({ folder: oldScope() });
  expect(here.files.state('sales').lock).toBeNull();
  expect(here.rows('sales', 'SELECT schema_version FROM meta')).toEqual([{ schema_version: 5 }]);
  expect(here.rows('sales', 'SELECT * FROM decision')).toEqual([
    {
      id: 7,
      rule_id: 'sales-0001',
      version: 1,
      kind: 'confirm',
      decided_by: 'person:1',
      decided_by_identity: 'a@example.com',
      decided_at: AT,
      reason: 'fine',
      new_version: 2,
      origin: 'grant',
      mode: 'manual',
      classification_id: null,
    },
  ]);
  expect(here.rows('sales', `SELECT id, operation, terms FROM search_log WHERE id = 's1'`)).toEqual([
    { id: 's1', operation: 'search', terms: '[]' },
  ]);
  expect(here.rows('sales', 'SELECT * FROM feedback')).toEqual([
    { id: 3, search_id: 's1', ref: 'rule/sales-0001', verdict: 'missing', given_by: 'person:1', given_at: AT },
  ]);
  // What the lexical tables of the third step hold is derived when they are first asked.
  const { bundles } = await here.do('searchRules', { scopes: ['sales'], terms: ['rails'] });
  expect(bundles.map((bundle: { head: { ref: string } }) => bundle.head.ref)).toEqual(['rule/sales-0001@2']);
  await decide(here, 'sales-0001', { decision: 'review', version: 2 });
  expect(here.rows('sales', 'SELECT id, kind FROM decision')).toEqual([
    { id: 7, kind: 'confirm' },
    { id: 8, kind: 'review' },
  ]);
  const db = here.files.open('sales');
  for (const table of ['decision', 'rule_version'])
    expect(() => db.exec(`DELETE FROM ${table}`)).toThrow('append-only');
  expect(db.pragma('foreign_key_check')).toEqual([]);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('[RU103] the steps stand in the order of the contract, and a new file is what an old one becomes', async () => {
  expect(SCOPE_MIGRATIONS.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  const schema = (one: World): unknown[] =>
    one.rows('sales', `SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`);
  here = world({ folder: oldScope() });
  const fresh = await stocked();
  folders.push(fresh.folder);
  expect(schema(here)).toEqual(schema(fresh));
  await proposed(fresh);
  fresh.close();
  for (const table of ['entity_version', 'lex_doc', 'lex_meta', 'classification', 'secret_finding', 'vec_rule']) {
    expect(here.rows('sales', `SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 0 }]);
  }
});

test('[RU103] entities and vectors out of form are refused', () => {
  here = world({ folder: oldScope() });
  const db = here.files.open('sales');
  const refused = (sql: string): string => {
    try {
      db.exec(sql);
      return 'stored';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refused(`INSERT INTO entity VALUES (1, 'legal-e0001', '${AT}', 'x')`)).toBe('entity-id-not-in-scope');
  expect(refused(`INSERT INTO entity VALUES (1, 'sales-e0002', '${AT}', 'x')`)).toBe('entity-id-not-in-scope');
  expect(refused(`INSERT INTO entity VALUES (1, 'sales-e0001', '${AT}', 'x')`)).toBe('stored');
  const version = (n: number, over: string): string =>
    refused(`INSERT INTO entity_version VALUES ('sales-e0001', ${n}, 'Acme', 'customer', ${over}, 'x', '${AT}')`);
  expect(version(2, `NULL, '[]', 'active', 'mcp', 0`)).toBe('version-gap');
  expect(version(1, `NULL, '[]', 'active', 'mcp', 1`)).toMatch(/^CHECK/);
  expect(version(1, `'sales-e0001', '[]', 'active', 'mcp', 0`)).toMatch(/^CHECK/);
  expect(version(1, `NULL, '[]', 'active', 'approval', 1`)).toBe('stored');
  const vector = (dim: number, hex: string): string =>
    refused(`INSERT INTO vec_rule VALUES (1, 2, 'm', ${dim}, 'r', x'${hex}')`);
  expect(vector(2, '00000000')).toMatch(/^CHECK/);
  expect(vector(1, '00000000')).toBe('stored');
});
