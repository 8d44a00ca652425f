import Database from 'better-sqlite3';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { ReadScope } from '../../src/auth/schema.ts';
import type { FilterClause } from '../../src/search/schema.ts';
import { laneCondition } from '../../src/storage/sqlite/index/filter-sql.ts';
import { addSqlFunctions } from '../../src/storage/sqlite/index/sql-functions.ts';
import { headerColumns, type HeaderColumns } from '../../src/storage/sqlite/vectors/header-columns.ts';
import { hashEmbedder } from '../../src/storage/models/hash.ts';
import { EVERYTHING, openVectorWorld, pageText, type VectorWorld } from './vector-world.ts';

const ALL = EVERYTHING.scope;
let world: VectorWorld | undefined;

afterEach(async () => {
  await world?.end();
  world = undefined;
});

/** Pages with headers alone; every page is of access class `page_no % 3`. */
function headers() {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE page (page_no INTEGER PRIMARY KEY, frontmatter TEXT, access_class INTEGER, scenario TEXT)');
  addSqlFunctions(db);
  const put = db.prepare<[number, string, number]>('INSERT OR REPLACE INTO page VALUES (?, ?, ?, NULL)');
  const drop = db.prepare<[number]>('DELETE FROM page WHERE page_no = ?');
  const columns = headerColumns({ index: db, stopped: () => false, log: pino({ level: 'silent' }) });
  return {
    columns,
    write(page: number, header: object | null) {
      if (header === null) drop.run(page);
      else put.run(page, JSON.stringify(header), page % 3);
      columns.changed(page);
    },
    /** By SQL alone. */
    passing(clauses: readonly FilterClause[], scope: ReadScope): number[] {
      const { sql, params } = laneCondition({ ...EVERYTHING, clauses, scope });
      return db
        .prepare<unknown[], number>(`SELECT p.page_no FROM page p WHERE ${sql} ORDER BY p.page_no`)
        .pluck()
        .all(...params);
    },
  };
}

const classOf = (page: number): number => page % 3;

/** The pages of `all` that are left; null when SQL has to decide. */
function narrowed(columns: HeaderColumns, all: readonly number[], clauses: FilterClause[], scope: ReadScope = ALL) {
  const mask = new Uint8Array(Math.max(...all, 0) + 1);
  for (const page of all) mask[page] = 1;
  const decided = columns.narrow(mask, { clauses, scope }, classOf);
  const left = all.filter(page => mask[page] === 1);
  return decided ? left : null;
}

async function known(columns: HeaderColumns, ...keys: string[]): Promise<void> {
  for (const key of [...keys, ...keys]) {
    narrowed(columns, [], [{ key, operator: 'equals', value: 0 }]);
    await columns.settled();
  }
}

const KEYS = ['rank', 'o"dd key.$[0]', 'owner'];
const plain = fc.oneof(
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom(1.5, -0, 1e21, null, true, false, '', '1', 'ä', 'zoo', '[[person::p1]]', '2026-01-02'),
);
const value = fc.oneof(
  plain,
  fc.array(plain, { maxLength: 2 }),
  fc.constantFrom({ a: 1 }, [['person::p1']], { a: [1, null] }),
);
const header = fc.dictionary(fc.constantFrom(...KEYS), value, { noNullPrototype: true });
const clause: fc.Arbitrary<FilterClause> = fc.oneof(
  fc.record({
    key: fc.constantFrom(...KEYS),
    operator: fc.constantFrom('equals', 'not', '<', '>', '<=', '>='),
    value,
  }),
  fc.record({ key: fc.constantFrom(...KEYS), operator: fc.constant('in'), value: fc.array(value, { maxLength: 3 }) }),
) as fc.Arbitrary<FilterClause>;
const scope: fc.Arbitrary<ReadScope> = fc.oneof(
  fc.constant(ALL),
  fc.record({
    all: fc.constant(false),
    allowed: fc.subarray([0, 1, 2]),
    owned: fc
      .subarray([0, 1, 2])
      .map(classes => classes.map(accessClass => ({ accessClass, ownerField: KEYS[accessClass]! }))),
    ownerKeys: fc.subarray(['s:zoo', 's:1', 'l:person::p1']),
  }),
);

test('[VL2] [VL15] clauses and owners in memory say what SQL says, whatever the headers are and become', async () => {
  const page = fc.integer({ min: 1, max: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(page, header), { maxLength: 40 }),
      fc.array(fc.tuple(page, fc.option(header)), { maxLength: 12 }),
      fc.array(fc.tuple(fc.array(clause, { maxLength: 2 }), scope), { minLength: 1, maxLength: 6 }),
      async (given, later, filters) => {
        const { columns, write, passing } = headers();
        for (const [at, one] of given) write(at, one);
        await known(columns, ...KEYS);
        const check = (): void => {
          const all = passing([], ALL);
          for (const [clauses, who] of filters) {
            // Classes that nobody may read are taken out before.
            const readable = new Set([...who.allowed, ...who.owned.map(one => one.accessClass)]);
            const asked = all.filter(one => who.all || readable.has(classOf(one)));
            expect(narrowed(columns, asked, clauses, who)).toEqual(passing(clauses, who));
          }
        };
        check();
        for (const [at, one] of later) write(at, one);
        check();
      },
    ),
    { numRuns: 60 },
  );
});

test('[VL15] a key is read when it is asked again, and SQL decides until then', async () => {
  const { columns, write } = headers();
  for (let page = 1; page <= 1200; page++) write(page, { rank: page % 10 });
  const ask = () => narrowed(columns, [1, 2, 3], [{ key: 'rank', operator: '<', value: 3 }]);
  expect(ask()).toBeNull();
  expect(ask()).toBeNull();
  // While it is read a page behind changes.
  write(1, { rank: 7 });
  write(3, { rank: 0 });
  await columns.settled();
  expect(ask()).toEqual([2, 3]);
  // So many changes at once are not followed: it is read anew.
  for (let page = 1; page <= 1200; page++) write(page, { rank: 0 });
  expect(ask()).toBeNull();
  await columns.settled();
  expect(ask()).toEqual([1, 2, 3]);
});

test('[VL15] a key whose values are long, or as many as pages, is left to SQL', async () => {
  const { columns, write } = headers();
  for (let page = 1; page <= 60_000; page += 1)
    write(page, { long: page === 30_000 ? 'x'.repeat(300) : 1, each: page });
  for (const key of ['long', 'each']) {
    const ask = () => narrowed(columns, [1, 2], [{ key, operator: 'equals', value: 1 }]);
    for (let at = 0; at < 4; at++) {
      expect(ask()).toBeNull();
      await columns.settled();
    }
  }
});

test('[VL2] one page is asked alone: where it does not pass no other page answers in its place', async () => {
  world = await openVectorWorld({ hash: hashEmbedder });
  await world.storage.vectors.configure('hash');
  const blocks = Array.from({ length: 30 }, (_, at) => `seal number ${at}`).join('\n\n');
  await world.put('instances/a.md', pageText('pump', 'a', blocks, 'rank: 1\n'));
  await world.put('instances/b.md', pageText('pump', 'b', blocks, 'rank: 2\n'));
  await world.storage.vectors.whenSettled();
  const one = { pageId: 'instances/a.md' };
  const rank = (equal: number): FilterClause[] => [{ key: 'rank', operator: 'equals', value: equal }];
  expect(await world.find('seal number 3', { ...one, clauses: rank(1) }, 2)).toHaveLength(2);
  expect(await world.find('seal number 3', { ...one, clauses: rank(2) }, 2)).toEqual([]);
  const nobody = { all: false, allowed: [], owned: [], ownerKeys: [] };
  expect(await world.find('seal number 3', { ...one, scope: nobody }, 2)).toEqual([]);
});

test('[VL15] header clauses answer the same before and after their keys are in memory, and follow every write', async () => {
  world = await openVectorWorld({ hash: hashEmbedder });
  const { put, find, storage } = world;
  await storage.vectors.configure('hash');
  const write = (at: number, rank: number): Promise<void> =>
    put(`instances/p${at}.md`, pageText('pump', `p${at}`, `seal number ${at}`, `rank: ${rank}\n`));
  for (let at = 0; at < 60; at++) await write(at, at % 6);
  await storage.vectors.whenSettled();
  const ask = () => find('seal number 5', { clauses: [{ key: 'rank', operator: '>=', value: 4 }] }, 100);
  const first = await ask();
  expect(first).toHaveLength(20);
  expect(await ask()).toEqual(first);
  await storage.vectors.whenSettled();
  expect(await ask()).toEqual(first);
  await write(4, 0);
  await write(6, 9);
  const pages = first.map(hit => hit.pageId).filter(id => id !== 'instances/p4.md');
  expect((await ask()).map(hit => hit.pageId).toSorted()).toEqual([...pages, 'instances/p6.md'].toSorted());
});
