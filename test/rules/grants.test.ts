import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NewGrant } from '../../src/rules/grants/schema.ts';
import { sqliteGrants } from '../../src/storage/sqlite/ops-file/grants.ts';
import { world, type World } from './world.ts';

let here: World;
beforeEach(() => (here = world()));
afterEach(() => here.remove());

const person = (over: Partial<NewGrant> = {}): NewGrant => ({
  kind: 'person',
  auth: 'email',
  identity: 'Anna@Example.com',
  scopes: ['sales'],
  rights: ['decide', 'read'],
  label: null,
  ...over,
});
const service: Partial<NewGrant> & { identity: string } = {
  kind: 'service',
  auth: 'bearer',
  identity: 'a'.repeat(64),
  rights: ['propose'],
};
const AT = new Date('2026-03-12T10:00:00.000Z');

test('[RU10] one active grant an identity, found whatever the case of the address', async () => {
  const grants = sqliteGrants(here.ops);
  const anna = await grants.add(person({ scopes: ['sales', 'legal', 'sales'] }), AT);
  expect(anna).toEqual({
    id: 'person:1',
    kind: 'person',
    auth: 'email',
    identity: 'anna@example.com',
    scopes: ['sales', 'legal'],
    rights: ['read', 'decide'],
    label: null,
    active: true,
    createdAt: '2026-03-12T10:00:00.000Z',
    disabledAt: null,
  });
  expect(await grants.add(person({ identity: 'ANNA@example.com' }), AT)).toBeUndefined();
  expect((await grants.add(person(service), AT))?.id).toBe('service:2');
  expect(await grants.find('email', 'aNNa@example.com')).toEqual(anna);
  expect((await grants.find('bearer', service.identity))?.id).toBe('service:2');
  expect(await grants.find('bearer', 'A'.repeat(64))).toBeUndefined();
  expect(await grants.find('access-service', 'anna@example.com')).toBeUndefined();
});

test('[RU11] a grant that is disabled is kept, found no more, and its identity can be granted again', async () => {
  const grants = sqliteGrants(here.ops);
  await grants.add(person(), AT);
  expect((await grants.disable('person:1', AT))?.disabledAt).toBe('2026-03-12T10:00:00.000Z');
  expect((await grants.disable('person:1', new Date(0)))?.disabledAt).toBe('2026-03-12T10:00:00.000Z');
  expect(await grants.find('email', 'anna@example.com')).toBeUndefined();
  expect((await grants.add(person(), AT))?.id).toBe('person:2');
  expect((await grants.list()).map(({ id, active }) => [id, active])).toEqual([
    ['person:1', false],
    ['person:2', true],
  ]);
  expect(await grants.disable('person:9', AT)).toBeUndefined();
});

test('[RU11] a label changes, and nothing else does', async () => {
  const grants = sqliteGrants(here.ops);
  await grants.add(person(), AT);
  expect((await grants.rename('person:1', 'Anna'))?.label).toBe('Anna');
  await grants.disable('person:1', AT);
  expect((await grants.rename('person:1', null))?.label).toBeNull();
  expect(await grants.rename('person:9', 'x')).toBeUndefined();
  await grants.add(person(), AT);
  for (const [sql, reason] of [
    [`UPDATE grant SET rights = '["read"]'`, 'grant-disable-only'],
    [`UPDATE grant SET scopes = '["legal"]' WHERE id = 'person:2'`, 'grant-disable-only'],
    [`UPDATE grant SET seq = 7 WHERE id = 'person:2'`, 'grant-disable-only'],
    [`UPDATE grant SET active = 1, disabled_at = NULL WHERE id = 'person:1'`, 'grant-disable-only'],
    [`UPDATE grant SET disabled_at = 'later' WHERE id = 'person:1'`, 'grant-disable-only'],
    [`UPDATE grant SET label = 'x', active = 0, disabled_at = 'x' WHERE id = 'person:2'`, 'grant-disable-only'],
    [`DELETE FROM grant`, 'append-only'],
    [`REPLACE INTO grant SELECT * FROM grant`, 'append-only'],
  ] as const) {
    expect(() => here.ops.exec(sql)).toThrow(reason);
  }
});

test('[RU12] no form of a grant lets a service decide', () => {
  const accepts = (grant: NewGrant): boolean => NewGrant.safeParse(grant).success;
  expect(accepts(person())).toBe(true);
  expect(accepts(person(service))).toBe(true);
  expect(accepts(person({ ...service, rights: ['decide'] }))).toBe(false);
  expect(accepts(person({ auth: 'bearer' }))).toBe(false);
  expect(accepts(person({ ...service, auth: 'email', rights: ['read'] }))).toBe(false);
  for (const row of [
    `('service:1', 'service', 'bearer', 'x', '["a"]', '["decide"]', 1, 'x')`,
    `('person:1', 'person', 'bearer', 'x', '["a"]', '["read"]', 1, 'x')`,
    `('service:1', 'service', 'email', 'x', '["a"]', '["read"]', 1, 'x')`,
    `('person:1', 'person', 'email', 'x', '[]', '["read"]', 1, 'x')`,
    `('person:1', 'person', 'email', 'x', '["a"]', '[]', 1, 'x')`,
    `('person:1', 'person', 'email', 'x', '["a"]', '["read"]', 0, 'x')`,
  ]) {
    const sql = `INSERT INTO grant (id, kind, auth, identity, scopes, rights, active, created_at) VALUES ${row}`;
    expect(() => here.ops.exec(sql)).toThrow('CHECK constraint failed');
  }
});

test('[RU8, RU11] no grant and no count takes the place of another, on a connection without any setting of ours', async () => {
  await sqliteGrants(here.ops).add(person(), AT);
  here.memory.remember('sales', { createdAt: 'x', versionCount: 3 }, AT);
  const plain = new Database(join(here.folder, 'ops.sqlite'));
  const columns = 'id, kind, auth, identity, scopes, rights, active, created_at';
  const more = `'person', 'email', identity, '["sales"]', '["read","propose","decide"]', 1, 'x' FROM grant`;
  try {
    expect(() => plain.exec('REPLACE INTO grant SELECT * FROM grant')).toThrow('append-only');
    expect(() => plain.exec(`REPLACE INTO grant (${columns}) SELECT id, ${more}`)).toThrow('append-only');
    expect(() => plain.exec(`REPLACE INTO grant (${columns}) SELECT 'person:9', ${more}`)).toThrow('append-only');
    expect(() => plain.exec(`REPLACE INTO backup_state VALUES ('sales', 'x', 2, 'x')`)).toThrow('count-decreased');
  } finally {
    plain.close();
  }
});

test('[RU8] what ops.sqlite remembers of a scope neither shrinks nor goes', () => {
  here.files.create('sales');
  here.memory.remember('sales', { createdAt: 'x', versionCount: 3 }, AT);
  expect(() => here.ops.exec('UPDATE backup_state SET version_count = 2')).toThrow('count-decreased');
  expect(() => here.ops.exec('DELETE FROM backup_state')).toThrow('append-only');
  expect(here.memory.of('sales')?.versionCount).toBe(3);
});
