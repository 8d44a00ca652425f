import { afterAll, beforeAll, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
const at = (skill: string, id: string): string => `markdown/instances/${skill}/${id}.md`;

beforeAll(async () => {
  w = await world();
  ann = await w.as({ sub: 'ann' });
  const node = (id: string, header: object, body = ''): Record<string, string> => ({
    [at('node', id)]: instancePage('node', id, { ...header }, body),
  });
  await w.put({
    'markdown/skills/node.md': skillPage('node'),
    'markdown/skills/decision.md': skillPage('decision'),
    'markdown/skills/expectation.md': skillPage('expectation'),
    ...node('d', {}),
    ...node('c', { derived_from: '[[node::d]]' }),
    ...node('x', { derived_from: '[[node::d]]', acl: { read: ['staff'] } }),
    ...node('b', { uses: '[[node::c]]', derived_from: '[[node::x]]' }),
    ...node(
      'a',
      { derived_from: ['[[node::b]]', '[[node::x]]'], at: '2026-05-01T00:00:00Z' },
      'See [[node::c]] and [[node]] and [[node::gone]].\n',
    ),
    ...node('loop', { uses: '[[node::loop2]]' }),
    ...node('loop2', { uses: '[[node::loop]]' }),
    'markdown/instances/node/plan.md': instancePage('node', 'plan', { scenario: 'p', derived_from: '[[node::d]]' }),
    [at('expectation', 'v1')]: instancePage('expectation', 'v1', { at: '2026-01-01T00:00:00Z' }),
    [at('decision', 'ship')]: instancePage('decision', 'ship', {
      at: '2026-02-06T10:00:00+01:00',
      motivated_by: '[[expectation::v1]]',
    }),
    [at('decision', 'late')]: instancePage('decision', 'late', {
      at: '2026-06-01T00:00:00Z',
      addresses: '[[expectation::v1]]',
    }),
    [at('decision', 'undated')]: instancePage('decision', 'undated', { motivated_by: '[[expectation::v1]]' }),
    [at('expectation', 'v2')]: instancePage('expectation', 'v2', {
      at: '2026-03-02T10:00:00Z',
      supersedes: '[[expectation::v1]]',
    }),
    [at('node', 'quit')]: instancePage('node', 'quit', { abandons: '[[node::d]]' }),
  });
});
afterAll(() => w.end());

const hops = (payload: { hops: { page_id: string; relation: string | null; depth: number }[] }) =>
  payload.hops.map(hop => [hop.page_id.replace(/^.*\/|\.md$/gu, ''), hop.relation, hop.depth]);
const ancestry = (args: object, who = ann) => who.call('provenance_ancestry', args);

test('[PG80] [PG81] up and down, each page once at its least depth', async () => {
  expect(hops(await ancestry({ page_id: at('node', 'a') }, w.admin))).toEqual([
    ['b', 'derived_from', 1],
    ['c', null, 1],
    ['x', 'derived_from', 1],
    ['d', 'derived_from', 2],
  ]);
  expect(hops(await ancestry({ from_page: at('node', 'd'), direction: 'down' }, w.admin))).toEqual([
    ['c', 'derived_from', 1],
    ['quit', 'abandons', 1],
    ['x', 'derived_from', 1],
    ['a', null, 2],
    ['b', 'uses', 2],
  ]);
});

test('[PG81] only the named relations are followed', async () => {
  expect(hops(await ancestry({ page_id: at('node', 'a'), relations: ['derived_from'] }))).toEqual([
    ['b', 'derived_from', 1],
  ]);
});

test('[PG80] hops are bounded and cycles end', async () => {
  expect(hops(await ancestry({ page_id: at('node', 'a'), max_hops: 0 }))).toHaveLength(2);
  expect(hops(await ancestry({ page_id: at('node', 'loop'), max_hops: 99 }))).toEqual([['loop2', 'uses', 1]]);
  expect(await ann.fails('provenance_ancestry', { page_id: at('node', 'a'), direction: 'sideways' })).toMatchObject({
    code: -32602,
  });
});

test('[PG82] hidden pages are not walked through', async () => {
  expect(hops(await ancestry({ page_id: at('node', 'a'), relations: ['derived_from'] }))).toEqual([
    ['b', 'derived_from', 1],
  ]);
  expect(await ancestry({ page_id: at('node', 'x') })).toEqual({ hops: [] });
  expect(await ancestry({ page_id: at('node', 'x'), to_page: at('node', 'd') })).toEqual({
    reachable: false,
    path: [],
    depth: 0,
  });
  expect(await ancestry({ page_id: at('node', 'none') })).toEqual({ hops: [] });
});

test('[PG83] the shortest way among readable pages', async () => {
  const way = { page_id: at('node', 'a'), to_page_id: at('node', 'd'), relations: ['derived_from', 'uses'] };
  expect(await ancestry(way, w.admin)).toEqual({
    reachable: true,
    path: ['a', 'x', 'd'].map(id => at('node', id)),
    depth: 2,
  });
  expect(await ancestry(way)).toEqual({
    reachable: true,
    path: ['a', 'b', 'c', 'd'].map(id => at('node', id)),
    depth: 3,
  });
  expect(await ancestry({ ...way, as_of: '2026-04-01T00:00:00Z' })).toEqual({ reachable: false, path: [], depth: 0 });
  expect(await ancestry({ page_id: at('node', 'd'), to_page: at('node', 'a') })).toMatchObject({ reachable: false });
  expect(await ancestry({ page_id: at('node', 'd'), to_page: at('node', 'd') })).toEqual({
    reachable: true,
    path: [at('node', 'd')],
    depth: 0,
  });
});

test('[PG84] drift: decisions whose expectation was replaced later', async () => {
  expect(await ann.call('provenance_report', { kind: 'drift' })).toEqual({
    kind: 'drift',
    rows: [
      {
        decision_page_id: at('decision', 'ship'),
        decision_skill: 'decision',
        expectation_page_id: at('expectation', 'v1'),
        superseding_page_id: at('expectation', 'v2'),
        decided_at: '2026-02-06T09:00:00Z',
        superseded_at: '2026-03-02T10:00:00Z',
      },
    ],
  });
  expect((await ann.call('provenance_report', { kind: 'drift', skill: 'node' })).rows).toEqual([]);
});

test('[PG84] abandoned: pages superseded or given up', async () => {
  expect((await ann.call('provenance_report', { kind: 'abandoned', skill: '' })).rows).toEqual([
    { page_id: at('expectation', 'v1'), skill: 'expectation', via: 'supersedes' },
    { page_id: at('node', 'd'), skill: 'node', via: 'abandons' },
  ]);
  for (const args of [{}, { kind: 'other' }])
    expect(await ann.fails('provenance_report', args)).toMatchObject({ code: -32602 });
});
