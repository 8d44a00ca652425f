import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Db } from '../../src/storage/sqlite/scopes/connect.ts';
import { confirmed, decide, mail, meeting, proposal, proposed, stocked, type World } from './world.ts';
import { counterexample } from './counterexample.ts';

const TABLES = [
  'rule',
  'rule_version',
  'decision',
  'source',
  'source_attachment',
  'source_segment',
  'source_auth',
  'secret_finding',
  'quote_match',
  'classification',
  'entity',
  'entity_version',
  'link',
  'review',
] as const;
const AT = '2026-03-12T10:00:00Z';

let here: World;
let db: Db;

/** A copy of a scope in which every table has rows, opened as the product opens it. */
beforeAll(async () => {
  here = await stocked();
  await here.do('storeSource', meeting());
  const attachment = {
    filename: 'a.pdf',
    media_type: 'application/pdf',
    size: 3,
    external: null,
    text: 'x',
    text_origin: 'ocr',
  };
  const auth = { from: 'a@example.com', authentication_results: ['mx; spf=pass'] };
  const secret = `Das Passwort lautet Sommer2026! Danke.`;
  await here.do('storeSource', mail({ id: 'mail:<2@example.com>', auth }, { text: secret, attachments: [attachment] }));
  const first = await confirmed(here);
  await confirmed(here, { supersedes: first });
  await decide(here, await proposed(here), { decision: 'reject', version: 1, reason: 'no' });
  await here.do('proposeRule', proposal({ source: { kind: 'manual', quote: 'mine', link: null } }));
  // Nothing writes to these yet.
  here.files.open('sales').exec(`
    INSERT INTO classification (rule_id, version, ruleset, mode, class, outcome, reasons, at)
      VALUES ('${first}', 1, 'r1', 'manual', 'routine', 'wait', '[]', '${AT}');
    INSERT INTO entity VALUES (1, 'sales-e0001', '${AT}', 'person:1'), (2, 'sales-e0002', '${AT}', 'person:1');
    INSERT INTO entity_version VALUES
      ('sales-e0001', 1, 'Acme', 'customer', NULL, '[]', 'active', 'mcp', 0, 'person:1', '${AT}'),
      ('sales-e0002', 1, 'Berlin', 'department', 'sales-e0001', '["BLN"]', 'active', 'mcp', 0, 'person:1', '${AT}');
    INSERT INTO link (from_ref, to_ref, type, version, origin, open_from, changed_by, changed_at)
      VALUES ('rule/${first}', 'entity/sales-e0001', 'concerns', 1, 'proposed', '2026-03-12', 'person:1', '${AT}');
    INSERT INTO review (subject, verdict, decided_by, decided_by_identity, decided_at)
      VALUES ('entity/sales-e0001@1', 'confirm', 'person:1', 'a@example.com', '${AT}');`);
  here.files.close();
  const copy = join(here.folder, 'copy.sqlite');
  copyFileSync(join(here.folder, 'scopes', 'sales.sqlite'), copy);
  db = connect(copy);
});
afterAll(() => {
  db.close();
  rmSync(here.folder, { recursive: true });
});

const rowsOf = (table: string): string[] =>
  db
    .prepare(`SELECT * FROM ${table}`)
    .all()
    .map(row => JSON.stringify(row));
const columnsOf = (table: string): string[] =>
  db.prepare(`SELECT name FROM pragma_table_info(?)`).pluck().all(table) as string[];

const value = fc.oneof(
  fc.constantFrom(
    'NULL',
    '1',
    '0',
    `''`,
    `'x'`,
    `'sales-0001'`,
    `'confirmed'`,
    `'2026-03-12'`,
    `'2026-03-12T09:00:00Z'`,
    `'[]'`,
  ),
  fc.integer({ min: -5, max: 5 }).map(String),
  fc.stringMatching(/^[a-z:<>@.-]{0,12}$/).map(text => `'${text}'`),
);
const condition = (column: string) =>
  fc
    .oneof(
      fc.constant('1'),
      value.map(literal => `${column} = ${literal}`),
      fc.constant(`${column} IS NOT NULL`),
      fc.constant(`rowid_or_first`),
    )
    .map(text => (text === 'rowid_or_first' ? `${column} IN (SELECT ${column} FROM current_table LIMIT 1)` : text));

/** Statements that try to change, replace or remove rows, or to put others in their place. */
const statement = (table: string, columns: readonly string[]) =>
  fc
    .record({
      column: fc.constantFrom(...columns),
      other: fc.constantFrom(...columns),
      literal: value,
      verb: fc.constantFrom(
        'UPDATE',
        'UPDATE OR REPLACE',
        'UPDATE OR IGNORE',
        'UPDATE OR FAIL',
        'DELETE',
        'REPLACE',
        'INSERT OR REPLACE',
        'UPSERT',
        'INSERT OR IGNORE',
      ),
    })
    .chain(({ column, other, literal, verb }) =>
      condition(column).map(text => {
        const where = text.replaceAll('current_table', table);
        const copied = columns.map(name => (name === other ? `coalesce(${literal}, ${name})` : name)).join();
        const select = `SELECT ${copied} FROM ${table} WHERE ${where}`;
        if (verb === 'DELETE') return `DELETE FROM ${table} WHERE ${where}`;
        if (verb.startsWith('UPDATE')) return `${verb} ${table} SET ${other} = ${literal} WHERE ${where}`;
        if (verb === 'UPSERT') return `INSERT INTO ${table} ${select} ON CONFLICT DO UPDATE SET ${other} = ${literal}`;
        return `${verb} INTO ${table} ${select}`;
      }),
    );

test.each(TABLES)('[RU2] no statement changes a row of %s', async table => {
  const before = rowsOf(table);
  expect(before.length).toBeGreaterThan(0);
  const outcomes = { ran: 0, refused: 0 };
  expect(
    await counterexample(
      fc.property(statement(table, columnsOf(table)), sql => {
        try {
          db.exec(sql);
          outcomes.ran++;
        } catch {
          outcomes.refused++;
        }
        const now = new Set(rowsOf(table));
        return before.every(row => now.has(row));
      }),
      400,
    ),
  ).toBeUndefined();
  expect(outcomes.ran).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(0);
});

test.each(TABLES)(
  '[RU2] nothing takes the place of a row of %s, on a connection without any setting of ours',
  table => {
    const plain = new Database(join(here.folder, 'copy.sqlite'));
    plain.pragma('foreign_keys = OFF');
    const before = rowsOf(table);
    try {
      for (const sql of [
        `REPLACE INTO ${table} SELECT * FROM ${table}`,
        `INSERT OR REPLACE INTO ${table} SELECT * FROM ${table} LIMIT 1`,
        `UPDATE ${table} SET rowid = rowid`,
        `DELETE FROM ${table} WHERE 1`,
      ]) {
        expect(() => plain.exec(sql)).toThrow(/append-only|version-gap|attachment-gap|no such column: rowid/);
      }
    } finally {
      plain.close();
    }
    expect(rowsOf(table)).toEqual(before);
  },
);

test.each(TABLES)('[RU2] every row of %s resists the plain ways', table => {
  const [column] = columnsOf(table);
  for (const sql of [
    `UPDATE ${table} SET ${column} = ${column}`,
    `DELETE FROM ${table}`,
    `UPDATE OR REPLACE ${table} SET ${column} = ${column}`,
  ]) {
    expect(() => db.exec(sql)).toThrow('append-only');
  }
  expect(() => db.exec(`REPLACE INTO ${table} SELECT * FROM ${table}`)).toThrow(
    /append-only|version-gap|attachment-gap|entity-id-not-in-scope/,
  );
});
