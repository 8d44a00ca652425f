import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

const DAYS = ['2026-01-01', '2026-01-02', '2026-12-31'];
const STATES = ['open', 'closed', 'true'];

interface Draft {
  readonly skill: number;
  readonly slug: number;
  readonly day: number | null;
  readonly state: number | null;
  readonly link: number | null;
}
/** What a page was from a moment on; null: archived. */
interface Since {
  readonly at: string;
  readonly draft: Draft | null;
}
type Step =
  | { readonly kind: 'write'; readonly page: number; readonly draft: Draft }
  | { readonly kind: 'delete' | 'move'; readonly page: number; readonly to: number };

const draft = fc.record({
  skill: fc.nat(1),
  slug: fc.nat(3),
  day: fc.option(fc.nat(DAYS.length - 1)),
  state: fc.option(fc.nat(STATES.length - 1)),
  link: fc.option(fc.nat(3)),
});
const PAGES = 5;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), page: fc.nat(PAGES - 1), draft }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('delete' as const, 'move' as const),
      page: fc.nat(PAGES - 1),
      to: fc.nat(PAGES - 1),
    }),
  },
);

let w: World;
let bob: Caller;
let time = Date.parse('2026-05-01T10:00:00.250Z');
let run = 0;
const now = (): string => new Date(time).toISOString();
const skillOf = (n: number): string => `r${run}k${n}`;
const slugOf = (n: number): string => `r${run}s${n}`;
const idOf = (n: number): string => `markdown/instances/r${run}/p${n}.md`;

beforeAll(async () => {
  w = await world({}, () => new Date(time));
  bob = await w.as({ sub: 'bob' });
});
afterAll(() => w.end());

/** Calls a write of the admin, which must pass. */
async function done(tool: string, args: object): Promise<void> {
  expect(await w.admin.call(tool, args)).toMatchObject({ ok: true });
}

/** Runs the steps on the server, and on lists of what each page was. */
async function play(steps: readonly Step[]): Promise<Map<string, Since[]>> {
  const pages = new Map<string, Since[]>();
  const live = (id: string): Draft | null => pages.get(id)?.at(-1)?.draft ?? null;
  const add = (id: string, drafted: Draft | null): void =>
    void pages.set(id, [...(pages.get(id) ?? []), { at: now(), draft: drafted }]);
  for (const each of steps) {
    time += 1000;
    const id = idOf(each.page);
    if (each.kind === 'write') {
      const { skill, slug, day, state, link } = each.draft;
      const header = {
        ...(day === null ? {} : { at: DAYS[day] }),
        ...(state === null ? {} : { state: STATES[state] === 'true' ? true : STATES[state] }),
      };
      const body = link === null ? 'None.' : `To [[${slugOf(link)}]] and [[${skillOf(0)}::${slugOf(link)}]].`;
      const content = instancePage(skillOf(skill), slugOf(slug), header, body);
      await done('update_page', { page_id: id, content });
      add(id, each.draft);
    } else if (each.kind === 'delete' && live(id)) {
      await done('delete_page', { page_id: id });
      add(id, null);
    } else if (each.kind === 'move' && live(id) && !live(idOf(each.to))) {
      const to = idOf(each.to);
      await done('move_page', { from: id, to });
      const arrived = { at: now(), draft: live(id) };
      pages.set(to, [...(pages.get(to) ?? []), ...pages.get(id)!, arrived]);
      pages.delete(id);
    }
  }
  return pages;
}

/** What the page was at that moment: its newest version by then, without one as it is; nothing that is born later. */
function then(pages: Map<string, Since[]>, id: string, at: string): Draft | null {
  const all = pages.get(id) ?? [];
  const found = (all.findLast(version => version.at <= at) ?? all.at(-1))?.draft ?? null;
  return found && (found.day === null || `${DAYS[found.day]}T00:00:00.000Z` <= at) ? found : null;
}

const textOf = (state: number | null): string | null => (state === null ? null : STATES[state]!);

function listed(pages: Map<string, Since[]>, at: string, skill: number, order: string, state: string | null): string[] {
  const rows = [...pages.keys()].flatMap(id => {
    const was = then(pages, id, at);
    return was?.skill === skill && (state === null || textOf(was.state) === state) ? [{ id, day: was.day }] : [];
  });
  const sign = order === 'at desc' ? -1 : 1;
  const compare = (a: (typeof rows)[number], b: (typeof rows)[number]): number => {
    if (order === 'page_id' || a.day === b.day) return a.id < b.id ? -1 : 1;
    return a.day === null || b.day === null ? (a.day === null ? 1 : -1) : sign * (a.day - b.day);
  };
  return rows.toSorted(compare).map(({ id }) => id);
}

async function asked(at: string, skill: number, order: string, state: string | null, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const answer = await bob.call('list_instances', {
      skill_id: skillOf(skill),
      as_of: at,
      limit,
      ...(order === 'page_id' ? {} : { order_by: order }),
      ...(state === null ? {} : { frontmatter_key: 'state', frontmatter_value: state }),
      ...(cursor === null ? {} : { cursor }),
    });
    ids.push(...answer.instances.map((row: { page_id: string }) => row.page_id));
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return ids;
}

async function check(pages: Map<string, Since[]>, at: string): Promise<void> {
  for (const skill of [0, 1]) {
    for (const order of ['page_id', 'at asc', 'at desc']) {
      for (const state of [null, 'open', 'true']) {
        for (const limit of [1, 100]) {
          const found = await asked(at, skill, order, state, limit);
          expect([skill, order, state, at, ...found]).toEqual([
            skill,
            order,
            state,
            at,
            ...listed(pages, at, skill, order, state),
          ]);
        }
      }
    }
  }
  const holders = (slug: number): string[] =>
    [...pages.keys()].filter(id => then(pages, id, at)?.link === slug).toSorted();
  for (let n = 0; n < PAGES; n += 1) {
    const was = then(pages, idOf(n), at);
    const { edges } = await bob.call('neighbours', { page_id: idOf(n), direction: 'in', as_of: at });
    const sources = new Set(edges.map((edge: { src_page: string }) => edge.src_page));
    const { page } = was
      ? await bob.call('resolve', { wikilink: `[[${slugOf(was.slug)}]]`, as_of: at })
      : { page: null };
    const all = was ? holders(was.slug) : [];
    // Links by skill count for a page that a bare link does not mean.
    const meant = page?.page_id === idOf(n);
    expect(meant ? [...sources].toSorted() : all.filter(id => sources.has(id)).length).toEqual(
      meant ? all : sources.size,
    );
  }
}

test('[PG147] [PG141] [PG142] every moment is read as it was, after a rebuild of the index too', async () => {
  let filled = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 20 }),
      fc.array(fc.nat(20), { maxLength: 3 }),
      async (steps, moments) => {
        run += 1;
        const began = time;
        await w.put(Object.fromEntries([0, 1].map(n => [`markdown/skills/${skillOf(n)}.md`, skillPage(skillOf(n))])));
        const pages = await play(steps);
        const all = [0, 3, 7, ...moments].map(seconds => new Date(began + seconds * 1000).toISOString());
        for (const at of all) {
          await check(pages, at);
          filled += listed(pages, at, 0, 'page_id', null).length;
        }
        if (run % 4 === 0) {
          await w.admin.call('rebuild', {});
          for (const at of all) await check(pages, at);
        }
      },
    ),
    { numRuns: 12 },
  );
  expect(filled).toBeGreaterThan(10);
}, 120_000);
