import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerKey } from '../../src/auth/index.ts';
import type { IndexedPage, InstanceQuery } from '../../src/pages/ports.ts';
import { openWorld, put, type World } from './world.ts';

let w: World;
beforeAll(async () => {
  w = await openWorld();
});
afterAll(() => w.end());

const VALUES = ['"open"', '"closed"', '5', '"5"', 'true', '[open]', `"${'x'.repeat(80)}"`];
const OWNERS = ['ann', 'bob', '"[[person::ann|Ann]]"', '[[person::ann]]', '"[[person::bob]]"', '7'];
interface Write {
  readonly page: number;
  readonly skill: number;
  readonly value: number | null;
  readonly day: number | null;
  readonly group: number | null;
  readonly archived: boolean;
  readonly by: number;
}
const aWrite: fc.Arbitrary<Write> = fc.record({
  page: fc.nat(7),
  skill: fc.nat(1),
  value: fc.option(fc.nat(VALUES.length - 1)),
  day: fc.option(fc.nat(3)),
  group: fc.option(fc.nat(2)),
  archived: fc.boolean(),
  by: fc.nat(OWNERS.length - 1),
});

function textOf({ page, skill, value, day, group, archived, by }: Write, run: number): string {
  return [
    '---\ntype: instance',
    `skill: s${skill}r${run}`,
    `id: p${page}`,
    `by: ${OWNERS[by]}`,
    ...(value === null ? [] : [`v: ${VALUES[value]}`]),
    ...(day === null ? [] : [`at: 2026-01-0${day + 1}`]),
    ...(group === null ? [] : [`acl: {read: [g${group}]}`]),
    ...(archived ? ['archived: true'] : []),
    '---\n\nText.\n',
  ].join('\n');
}

const TEXTS = ['open', 'closed', '5', 'true', 'x'.repeat(80), 'nobody'];

const isOwned = (row: IndexedPage, { scope }: InstanceQuery): boolean =>
  scope.owned.some(({ accessClass }) => accessClass === row.accessClass) &&
  scope.ownerKeys.includes(ownerKey(row.frontmatter['by']) ?? '');

/** What the query must answer, found by looking at every row. */
function expected(all: readonly IndexedPage[], query: InstanceQuery): string[] {
  const text = (row: IndexedPage): string | null => {
    const value = row.frontmatter['v'];
    return value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
  };
  const rows = all.filter(
    row =>
      (query.scope.all || query.scope.allowed.includes(row.accessClass) || isOwned(row, query)) &&
      (query.equals === null || text(row) === query.equals.value) &&
      query.clauses.every(({ value }) => row.frontmatter['v'] === value),
  );
  const sign = query.order === 'at_desc' ? -1 : 1;
  const order = (a: IndexedPage, b: IndexedPage): number => {
    if (query.order !== 'page_id' && a.at !== b.at) {
      if (a.at === null || b.at === null) return a.at === null ? 1 : -1;
      return a.at < b.at ? -sign : sign;
    }
    return a.pageId < b.pageId ? -1 : 1;
  };
  return rows.toSorted(order).map(row => row.pageId);
}

let runs = 0;
test('[DS38] whatever was written, equality, scope and order give what a look at every header gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aWrite, { minLength: 1, maxLength: 20 }), async writes => {
      const run = runs++;
      const { pages, index } = w.storage;
      const bases = new Map<number, number>();
      for (const write of writes) {
        const base = bases.get(write.page) ?? 0;
        const at = `markdown/instances/r${run}/p${write.page}.md`;
        await pages.commit({ puts: [put(at, textOf(write, run), base, { origin: 'external' })] });
        bases.set(write.page, base + 1);
      }
      const rows = await Promise.all(
        [...bases.keys()].map(page => index.page(`markdown/instances/r${run}/p${page}.md`)),
      );
      for (const skill of [`s0r${run}`, `s1r${run}`]) {
        const all = rows.flatMap(row => (row?.skill === skill ? [row] : []));
        const classes = [...new Set(all.map(row => row.accessClass))];
        const owned = classes.map(accessClass => ({ accessClass, ownerField: 'by' }));
        const ownerKeys = ['s:ann', 'l:person::ann'];
        const allowed = classes.slice(1);
        for (const order of ['page_id', 'at_asc', 'at_desc'] as const) {
          for (const value of [null, ...TEXTS]) {
            for (const scope of [
              { all: true, allowed: [], owned: [], ownerKeys: [] },
              { all: false, allowed, owned: [], ownerKeys: [] },
              { all: false, allowed: [], owned, ownerKeys },
              { all: false, allowed: allowed.slice(0, 1), owned: owned.slice(1), ownerKeys },
            ]) {
              for (const typed of [false, true]) {
                const query: InstanceQuery = {
                  skill,
                  order,
                  limit: 100,
                  after: null,
                  asOf: null,
                  scenario: null,
                  scope,
                  equals: value === null || typed ? null : { key: 'v', value },
                  clauses: value !== null && typed ? [{ key: 'v', operator: 'equals', value }] : [],
                };
                const found = (await index.instances(query)).map(row => row.pageId);
                expect(found).toEqual(expected(all, query));
              }
            }
          }
        }
      }
    }),
    { numRuns: 25 },
  );
});
