import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { instance, path, skill, skillPath, write } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
const at = (id: string): string => path('node', id);
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  const nodes: Record<string, [header: string, body?: string]> = {
    // result → run → data, and a body link past it.
    result: ['at: 2026-03-01\nproduced_by: "[[node::run]]"', 'See [[node::notes]], [[run]] and [[node::gone]].\n'],
    run: ['at: 2026-02-01\nuses: ["[[node::data]]"]'],
    data: ['at: 2026-01-01'],
    notes: ['at: 2026-01-15\nuses: "[[node::data]]"'],
    ring: ['part_of: "[[node::ring2]]"'],
    ring2: ['part_of: "[[node::ring]]"'],
    // The short way from `goal` to `deep` runs through a page that agents may not read.
    goal: ['rests_on: ["[[node::closed]]", "[[node::open1]]"]'],
    closed: ['rests_on: "[[node::deep]]"\nacl: {read: []}'],
    open1: ['rests_on: "[[node::open2]]"'],
    open2: ['rests_on: "[[node::deep]]"'],
    deep: ['rests_on: "[[node::hidden]]"'],
    hidden: ['rests_on: "[[node::behind]]"\nacl: {read: []}'],
    behind: [''],
  };
  await write(admin, {
    [skillPath('node')]: skill('node'),
    ...Object.fromEntries(
      Object.entries(nodes).map(([id, [header, body]]) => [at(id), instance('node', id, header, body)]),
    ),
    [at('overlay')]: instance('node', 'overlay', 'scenario: what-if\nuses: "[[node::data]]"'),
    // Fourteen pages in a row.
    ...Object.fromEntries(
      Array.from({ length: 14 }, (_, no) => [at(`c${no}`), instance('node', `c${no}`, `next: "[[node::c${no + 1}]]"`)]),
    ),
  });
});
afterAll(() => cairn.stop());

type Hop = { page_id: string; skill: string; relation: string | null; depth: number };
const name = (page_id: string): string => page_id.slice(page_id.lastIndexOf('/') + 1, -3);
const hops = async (args: object, who = agent): Promise<string[]> =>
  (await who.ok('provenance_ancestry', args)).hops.map(
    (hop: Hop) => `${hop.depth} ${name(hop.page_id)} ${hop.relation}`,
  );
const way = async (args: object, who = agent) => {
  const { reachable, path: ids, depth, ...rest } = await who.ok('provenance_ancestry', args);
  expect(rest).toEqual({});
  return reachable ? [depth, ...ids.map(name)] : { reachable, path: ids, depth };
};

test('[PG80] E300 the walk goes up, by depth and page id, each page once at its least depth, without the start', async () => {
  const { hops: rows, ...rest } = await agent.ok('provenance_ancestry', { page_id: at('result') });
  expect(rest).toEqual({});
  expect(rows[0]).toEqual({ page_id: at('notes'), skill: 'node', relation: null, depth: 1 });
  expect(await hops({ page_id: at('result') })).toEqual(['1 notes null', '1 run produced_by', '2 data uses']);
  expect(await hops({ page_id: at('data'), direction: 'down' })).toEqual([
    '1 notes uses',
    '1 run uses',
    '2 result null',
  ]);
});

test('[PG80] E299 E304 a relation is the header key, null for a body link; dangling and bare links are no edges', async () => {
  expect(await hops({ page_id: at('result'), relations: [] })).toEqual(await hops({ page_id: at('result') }));
  expect(await hops({ page_id: at('result'), relations: ['produced_by'] })).toEqual(['1 run produced_by']);
  expect(await hops({ page_id: at('result'), relations: ['produced_by', 'uses'] })).toEqual([
    '1 run produced_by',
    '2 data uses',
  ]);
});

test('[PG80] E301 the start and the end have other names', async () => {
  const expected = await hops({ page_id: at('result') });
  for (const key of ['from_page', 'from_page_id']) expect(await hops({ [key]: at('result') })).toEqual(expected);
  for (const key of ['to_page', 'to_page_id'])
    expect(await way({ page_id: at('result'), [key]: at('data') })).toEqual(
      await way({ page_id: at('result'), to_page: at('data') }),
    );
});

test('[PG80] E302 max_hops is five unless given, at least one, at most twelve', async () => {
  expect(await hops({ page_id: at('c0') })).toHaveLength(5);
  expect(await hops({ page_id: at('c0'), max_hops: 0 })).toHaveLength(1);
  expect(await hops({ page_id: at('c0'), max_hops: 99 })).toHaveLength(12);
});

test.each([
  ['provenance_ancestry', { page_id: 'x.md', direction: 'sideways' }],
  ['provenance_ancestry', { page_id: 'x.md', direction: '' }],
])('[PG80] E303 %s with %j', async (tool, args) => {
  expect(await agent.fails(tool, args)).toMatchObject({ code: -32602, data: { code: 'invalid_params' } });
});

test('[PG83] E305 a cut hides edges of later sources, also on a way', async () => {
  expect(await hops({ page_id: at('data'), direction: 'down', as_of: '2026-02-15T00:00:00Z' })).toEqual([
    '1 notes uses',
    '1 run uses',
  ]);
  expect(await hops({ page_id: at('result'), as_of: '2026-02-15T00:00:00Z' })).toEqual([]);
  expect(await way({ page_id: at('result'), to_page: at('data'), as_of: '2026-02-15T00:00:00Z' })).toEqual({
    reachable: false,
    path: [],
    depth: 0,
  });
});

test('[PG80] E306 overlay pages are never walked', async () => {
  expect(await hops({ page_id: at('overlay') })).toEqual([]);
  expect(
    JSON.stringify(await agent.ok('provenance_ancestry', { page_id: at('data'), direction: 'down' })),
  ).not.toContain('overlay');
});

test('[PG80] E307 a ring is walked once', async () => {
  expect(await hops({ page_id: at('ring'), max_hops: 12 })).toEqual(['1 ring2 part_of']);
});

test('[PG82] E308 a hidden page and all that only it leads to are left out', async () => {
  expect(await hops({ page_id: at('deep') })).toEqual([]);
  expect(await hops({ page_id: at('deep') }, admin)).toEqual(['1 hidden rests_on', '2 behind rests_on']);
  expect(await hops({ page_id: at('hidden') })).toEqual([]);
});

test('[PG83] E309 E310 the way to a page, or that there is none', async () => {
  const none = { reachable: false, path: [], depth: 0 };
  expect(await way({ page_id: at('result'), to_page: at('data') })).toEqual([2, 'result', 'notes', 'data']);
  expect(await way({ page_id: at('result'), to_page: at('data'), relations: ['produced_by', 'uses'] })).toEqual([
    2,
    'result',
    'run',
    'data',
  ]);
  expect(await way({ page_id: at('data'), to_page: at('result') })).toEqual(none);
  expect(await way({ page_id: at('data'), to_page: at('result'), direction: 'down' })).toEqual([
    2,
    'data',
    'notes',
    'result',
  ]);
  for (const to_page of [at('gone'), at('behind'), at('hidden')])
    expect(await way({ page_id: at('deep'), to_page })).toEqual(none);
  expect(await way({ page_id: at('hidden'), to_page: at('behind') })).toEqual(none);
});

test('[PG83] E311 a longer way that may be read is found', async () => {
  expect(await way({ page_id: at('goal'), to_page: at('deep') })).toEqual([3, 'goal', 'open1', 'open2', 'deep']);
  expect(await way({ page_id: at('goal'), to_page: at('deep') }, admin)).toEqual([2, 'goal', 'closed', 'deep']);
});

test('[PG84] E312 E313 E314 E316 drift: who rests on what was replaced later, in RFC 3339', async () => {
  const dated = (id: string, day: string, more: string) => ({
    [path('step', id)]: instance('step', id, `at: ${day}\n${more}`),
  });
  await write(admin, {
    [skillPath('step')]: skill('step'),
    ...dated('e1', '2026-01-01', ''),
    ...dated('e2', '2026-03-02T11:00:00+01:00', 'supersedes: "[[step::e1]]"'),
    ...dated('ship', '2026-02-06T09:00:00Z', 'motivated_by: "[[step::e1]]"'),
    ...dated('after', '2026-04-01', 'addresses: "[[step::e1]]"'),
    [path('step', 'undated')]: instance('step', 'undated', 'addresses: "[[step::e1]]"'),
  });
  const row = {
    decision_page_id: path('step', 'ship'),
    decision_skill: 'step',
    expectation_page_id: path('step', 'e1'),
    superseding_page_id: path('step', 'e2'),
    decided_at: '2026-02-06T09:00:00Z',
    superseded_at: '2026-03-02T10:00:00Z',
  };
  for (const more of [{}, { skill: '' }, { skill: null }, { skill: 'step' }])
    expect(await agent.ok('provenance_report', { kind: 'drift', ...more })).toEqual({ kind: 'drift', rows: [row] });
  expect(await agent.ok('provenance_report', { kind: 'drift', skill: 'node' })).toEqual({ kind: 'drift', rows: [] });
});

test('[PG84] E315 E318 abandoned: what was superseded or abandoned, and no row with a hidden page', async () => {
  await write(admin, {
    [path('step', 'quit')]: instance('step', 'quit', 'abandons: ["[[node::data]]", "[[step::e1]]"]'),
    [path('step', 'quit2')]: instance('step', 'quit2', 'abandons: "[[node::data]]"'),
    [path('step', 'secret')]: instance('step', 'secret', 'abandons: "[[node::notes]]"\nacl: {read: []}'),
    [path('step', 'blind')]: instance('step', 'blind', 'abandons: "[[node::hidden]]"'),
  });
  const mine = [
    { page_id: at('data'), skill: 'node', via: 'abandons' },
    { page_id: path('step', 'e1'), skill: 'step', via: 'abandons' },
    { page_id: path('step', 'e1'), skill: 'step', via: 'supersedes' },
  ];
  const rows = async (args: object, who = agent) =>
    (await who.ok('provenance_report', { kind: 'abandoned', ...args })).rows;
  expect(await rows({})).toEqual(mine);
  expect(await rows({ skill: 'node' })).toEqual(mine.slice(0, 1));
  expect((await rows({ skill: 'node' }, admin)).map((row: { page_id: string }) => name(row.page_id))).toEqual([
    'data',
    'hidden',
    'notes',
  ]);
});

test.each([{}, { kind: 'Drift' }, { kind: null }, { kind: '' }])('[PG84] E317 a report of kind %j', async args => {
  expect(await agent.fails('provenance_report', args)).toMatchObject({
    code: -32602,
    data: { code: 'invalid_params' },
  });
});
