import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/storage/sqlite/scopes/connect.ts';
import { confirmed, MAIL_ID, meeting, proposed, stocked, type World } from './world.ts';

let here: World;
let db: Db;

beforeAll(async () => {
  here = await stocked();
  await here.do('storeSource', meeting());
  await confirmed(here);
  await proposed(here);
  db = here.files.open('sales');
});
afterAll(() => here.remove());

const VERSION = {
  rule_id: 'sales-0002',
  version: 2,
  kind: 'rule',
  statement: 'A statement that is long enough',
  source_id: MAIL_ID,
  quote: 'please ask for the delivery time before you order black hook rails',
  timestamp_s: null,
  source_link: 'https://mail.example.com/1',
  said_at: '2026-03-12T09:00:00Z',
  speaker: null,
  relations: '[]',
  keywords: '[]',
  valid_from: '2026-03-12',
  valid_until: null,
  supersedes: null,
  superseded_by: null,
  status: 'confirmed',
  reason: 'because',
  changed_by: 'person:1',
  changed_at: '2026-03-12T09:00:00Z',
} as const;
const DECISION = {
  rule_id: 'sales-0001',
  version: 1,
  kind: 'confirm',
  decided_by: 'person:1',
  decided_by_identity: 'a@example.com',
  decided_at: '2026-03-12T09:00:00Z',
  reason: null,
  new_version: 2,
  origin: 'grant',
  mode: 'manual',
} as const;
const MAIL = {
  id: 'mail:<x@example.com>',
  kind: 'mail',
  title: 'x',
  occurred_at: '2026-03-12T09:00:00Z',
  sender: null,
  thread: null,
  link: null,
  excerpt: 'text',
  fulltext_sha256: 'x',
  fetched_at: '2026-03-12T09:00:00Z',
  feeder: 'service:2',
} as const;
const ATTACHMENT = {
  source_id: MAIL_ID,
  n: 1,
  filename: 'a',
  media_type: 'b',
  size: 1,
  external: null,
  text: null,
  text_origin: 'none',
};
const SEGMENT = { source_id: 'jamie:weekly-1', n: 9, start_s: 0, speaker: null, text: 'x' };
const LOG = {
  id: 'x',
  at: 'x',
  grant_id: 'x',
  channel: 'api',
  operation: 'status',
  outcome: 200,
  cross_scope: 0,
  refs: '[]',
};

/** What an insert answers inside a transaction that is always undone. */
function inserting(table: string, row: Record<string, unknown>): string {
  const names = Object.keys(row);
  try {
    db.exec('BEGIN');
    db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(name => `@${name}`).join()})`).run(row);
    return 'stored';
  } catch (error) {
    return (error as Error).message;
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

describe('what the schema takes', () => {
  test.each([
    ['rule_version', VERSION],
    ['decision', DECISION],
    ['source', MAIL],
    ['source_attachment', ATTACHMENT],
    ['source_segment', SEGMENT],
    ['search_log', LOG],
    ['rule', { seq: 7, id: 'sales-0007', created_at: 'x', created_by: 'x' }],
    ['rule', { seq: 12345, id: 'sales-12345', created_at: 'x', created_by: 'x' }],
  ])('[RU3] a sound row of %s', (table, row) => {
    expect(inserting(table, row)).toBe('stored');
  });
});

const REASONS: readonly (readonly [reason: string, table: string, row: Record<string, unknown>])[] = [
  ['rule-id-not-in-scope', 'rule', { seq: 7, id: 'legal-0007', created_at: 'x', created_by: 'x' }],
  ['rule-id-not-in-scope', 'rule', { seq: 7, id: 'sales-007', created_at: 'x', created_by: 'x' }],
  ['rule-id-not-in-scope', 'rule', { seq: 7, id: 'sales-00x7', created_at: 'x', created_by: 'x' }],
  ['rule-id-not-in-scope', 'rule', { seq: 7, id: 'sales0007', created_at: 'x', created_by: 'x' }],
  ['version-gap', 'rule_version', { ...VERSION, version: 3 }],
  ['version-gap', 'rule_version', { ...VERSION, version: 1 }],
  ['invalid-transition', 'rule_version', { ...VERSION, status: 'proposed' }],
  ['invalid-transition', 'rule_version', { ...VERSION, status: 'superseded', valid_until: '2026-04-01' }],
  ['invalid-transition', 'rule_version', { ...VERSION, rule_id: 'sales-0001', version: 3, status: 'rejected' }],
  ['source-immutable', 'rule_version', { ...VERSION, quote: 'another quote that is long enough to be stored' }],
  ['source-immutable', 'rule_version', { ...VERSION, source_link: null }],
  ['source-immutable', 'rule_version', { ...VERSION, source_id: 'jamie:weekly-1', timestamp_s: 3 }],
  ['attachment-gap', 'source_attachment', { ...ATTACHMENT, n: 2 }],
];

test.each(REASONS)('[RU3] %s', (reason, table, row) => {
  expect(inserting(table, row)).toBe(reason);
});

test('[RU3] nothing follows a rejected or superseded version', () => {
  db.exec('BEGIN');
  const names = Object.keys(VERSION);
  const insert = db.prepare(
    `INSERT INTO rule_version (${names.join()}) VALUES (${names.map(name => `@${name}`).join()})`,
  );
  insert.run({ ...VERSION, status: 'rejected' });
  expect(() => insert.run({ ...VERSION, version: 3 })).toThrow('terminal-state');
  insert.run({ ...VERSION, rule_id: 'sales-0001', version: 3, status: 'superseded', valid_until: '2026-04-01' });
  expect(() => insert.run({ ...VERSION, rule_id: 'sales-0001', version: 4 })).toThrow('terminal-state');
  db.exec('ROLLBACK');
});

const CHECKS: readonly (readonly [table: string, row: Record<string, unknown>])[] = [
  ['rule_version', { ...VERSION, statement: 'too short' }],
  ['rule_version', { ...VERSION, statement: 'x'.repeat(501) }],
  ['rule_version', { ...VERSION, kind: 'law' }],
  ['rule_version', { ...VERSION, status: 'adopted' }],
  ['rule_version', { ...VERSION, said_at: '2026-03-12' }],
  ['rule_version', { ...VERSION, said_at: '2026-03-12T09:00:00+01:00' }],
  ['rule_version', { ...VERSION, changed_at: 'now' }],
  ['rule_version', { ...VERSION, valid_from: '2026-3-12' }],
  ['rule_version', { ...VERSION, valid_until: '2026-04-01' }],
  ['rule_version', { ...VERSION, relations: '{}' }],
  ['rule_version', { ...VERSION, keywords: 'none' }],
  ['rule_version', { ...VERSION, keywords: JSON.stringify(Array.from({ length: 31 }, String)) }],
  ['rule_version', { ...VERSION, reason: '  ' }],
  ['rule_version', { ...VERSION, supersedes: 'sales-0002' }],
  ['rule_version', { ...VERSION, superseded_by: 'sales-0001' }],
  ['rule_version', { ...VERSION, rule_id: 'sales-0001', version: 3, status: 'superseded' }],
  ['rule_version', { ...VERSION, rule_id: 'sales-0001', version: 3, status: 'superseded', valid_until: '2026-01-01' }],
  [
    'rule_version',
    {
      ...VERSION,
      rule_id: 'sales-0001',
      version: 3,
      status: 'superseded',
      valid_until: '2026-05-01',
      superseded_by: 'sales-0001',
    },
  ],
  ['rule_version', { ...VERSION, timestamp_s: 3, version: 2, rule_id: 'sales-0002' }],
  ['decision', { ...DECISION, kind: 'adopt' }],
  ['decision', { ...DECISION, decided_by: 'service:2' }],
  ['decision', { ...DECISION, kind: 'reject' }],
  ['decision', { ...DECISION, kind: 'revoke', reason: ' ' }],
  ['decision', { ...DECISION, new_version: null }],
  ['decision', { ...DECISION, new_version: 1 }],
  ['decision', { ...DECISION, decided_at: 'now' }],
  ['source', { ...MAIL, kind: 'page' }],
  ['source', { ...MAIL, id: 'jamie:x' }],
  ['source', { ...MAIL, excerpt: null }],
  ['source', { ...MAIL, fulltext_sha256: null }],
  ['source', { ...MAIL, title: null }],
  ['source', { ...MAIL, occurred_at: '2026-03-12' }],
  ['source', { ...MAIL, id: 'jamie:y', kind: 'jamie' }],
  ['source', { ...MAIL, id: 'jamie:y', kind: 'jamie', excerpt: null, thread: 'mail:<r@x>' }],
  ['source', { ...MAIL, id: 'manual:y', kind: 'manual', excerpt: null }],
  ['source_attachment', { ...ATTACHMENT, text: 'x' }],
  ['source_attachment', { ...ATTACHMENT, text_origin: 'ocr' }],
  ['source_attachment', { ...ATTACHMENT, size: -1 }],
  ['source_segment', { ...SEGMENT, text: '' }],
  ['source_segment', { ...SEGMENT, start_s: -1 }],
  ['source_segment', { ...SEGMENT, n: 0 }],
  ['search_log', { ...LOG, channel: 'web' }],
  ['search_log', { ...LOG, operation: 'delete' }],
  ['search_log', { ...LOG, operation: 'search' }],
  ['search_log', { ...LOG, refs: 'none' }],
  ['feedback', { search_id: 'x', ref: 'x', verdict: 'good', given_by: 'x', given_at: 'x' }],
  ['meta', { singleton: 2, scope: 'sales', schema_version: 1, created_at: 'x' }],
];

test.each(CHECKS)('[RU3] a row of %s out of form', (table, row) => {
  expect(inserting(table, row)).toMatch(/^(CHECK constraint failed|source-immutable)/);
});

test.each([
  ['rule_version', { ...VERSION, supersedes: 'sales-0099' }],
  ['rule_version', { ...VERSION, rule_id: 'sales-0099', version: 1, status: 'proposed' }],
  ['decision', { ...DECISION, version: 7, new_version: 8 }],
  ['decision', { ...DECISION, new_version: 8 }],
  ['source_segment', { ...SEGMENT, source_id: 'jamie:none' }],
  ['source_attachment', { ...ATTACHMENT, source_id: 'jamie:none' }],
  ['feedback', { search_id: 'none', ref: 'x', verdict: 'missing', given_by: 'x', given_at: 'x' }],
])('[RU3] a row of %s that points nowhere', (table, row) => {
  expect(inserting(table, row)).toBe('FOREIGN KEY constraint failed');
});

test('[RU3] a file never changes its scope', () => {
  for (const sql of [`UPDATE meta SET scope = 'legal'`, `UPDATE meta SET created_at = 'x'`, 'DELETE FROM meta']) {
    expect(() => db.exec(sql)).toThrow('append-only');
  }
});
