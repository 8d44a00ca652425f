import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexedPage, InstanceQuery } from '../../src/pages/ports.ts';
import { openWorld, put, type World } from './world.ts';

let w: World;
const PAGES = 420;
const id = (n: number): string => `markdown/instances/day/${String(n).padStart(3, '0')}.md`;
/** Two days that hold very many pages, with a few of their own times before, between and behind them, and some without any. */
const timeOf = (n: number): string | null => {
  if (n % 40 === 0) return null;
  if (n % 20 === 0) return `2026-01-0${(n % 3) + 1}T12:00:0${n % 10}Z`;
  return n % 2 === 0 ? '2026-01-02' : '2026-01-03';
};
const text = (n: number): string => {
  const at = timeOf(n);
  return [
    '---\ntype: instance\nskill: day',
    `id: d${n}\nkind: k${n % 3}`,
    ...(at === null ? [] : [`at: ${at}`]),
    ...(n % 5 === 0 ? ['acl: {read: [staff]}'] : []),
    '---\n\nText.\n',
  ].join('\n');
};

beforeAll(async () => {
  w = await openWorld();
  await w.storage.pages.commit({ puts: Array.from({ length: PAGES }, (_, n) => put(id(n), text(n))) });
});
afterAll(() => w.end());

async function walked(query: Omit<InstanceQuery, 'after'>): Promise<string[]> {
  const seen: string[] = [];
  for (let after: InstanceQuery['after'] = null; ;) {
    const rows = await w.storage.index.instances({ ...query, after });
    seen.push(...rows.map(({ pageId }) => pageId));
    const last = rows.at(-1);
    if (!last || rows.length < query.limit) return seen;
    after = { at: last.at, pageId: last.pageId };
  }
}

function expected(rows: readonly IndexedPage[], order: InstanceQuery['order']): string[] {
  const sign = order === 'at_desc' ? -1 : 1;
  const sorted = rows.toSorted((a, b) => {
    if (a.at === b.at) return a.pageId < b.pageId ? -1 : 1;
    if (a.at === null || b.at === null) return a.at === null ? 1 : -1;
    return a.at < b.at ? -sign : sign;
  });
  return sorted.map(({ pageId }) => pageId);
}

test.each(['at_desc', 'at_asc'] as const)(
  '[DS22] [DS23] where very many pages have one time, a walk %s by parts has every row once and in order',
  async order => {
    const { index } = w.storage;
    const all = (await Promise.all(Array.from({ length: PAGES }, (_, n) => index.page(id(n))))).map(row => row!);
    const closed = all[0]!.accessClass;
    const open = [...new Set(all.map(({ accessClass }) => accessClass))].filter(each => each !== closed);
    for (const asOf of [null, '2026-01-02T12:00:00.000Z', '2026-01-02T00:00:00.000Z', '2025-12-31T00:00:00.000Z']) {
      for (const limit of [7, 100, 1000]) {
        for (const whole of [true, false]) {
          for (const kind of [null, 'k1']) {
            const scope = { all: whole, allowed: whole ? [] : open, owned: [], ownerKeys: [] };
            const clauses: InstanceQuery['clauses'] =
              kind === null ? [] : [{ key: 'kind', operator: 'in', value: [kind] }];
            const query = { skill: 'day', order, limit, asOf, scenario: null, scope, equals: null, clauses };
            const wanted = all.filter(
              row =>
                (whole || row.accessClass !== closed) &&
                (asOf === null || row.at === null || row.at <= asOf) &&
                (kind === null || row.frontmatter['kind'] === kind),
            );
            expect(await walked(query)).toEqual(expected(wanted, order));
          }
        }
      }
    }
  },
);
