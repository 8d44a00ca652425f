import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { instance, path, skill, skillPath, write } from './page.ts';

/**
 * Two servers hold the same pages; one of them holds private pages as well. Whatever somebody without rights to those asks,
 * both must give the same answer.
 */
let issuer: TestIssuer;
let both: readonly { cairn: Cairn; admin: Client; agent: Client }[];

const PUBLIC = {
  [skillPath('open')]: skill('open', 'required_frontmatter: [title]'),
  [skillPath('diary')]: skill('diary', 'visibility: owner\nowner_field: author'),
  [skillPath('member')]: skill('member'),
  [path('member', 'bob')]: instance('member', 'bob', 'credential: bob'),
  [path('open', 'a')]: instance('open', 'a', 'title: A\nat: 2026-01-01T00:00:00Z', 'Sternwarte und Kuppel ^dome\n'),
  [path('open', 'b')]: instance('open', 'b', 'title: B', '[[open::a]] [[open::c]]\n'),
  [path('diary', 'mine')]: instance('diary', 'mine', 'author: ann\nat: 2026-02-01T00:00:00Z', 'Mein Tag\n'),
};
const PRIVATE = Object.fromEntries([
  ...['a1', 'a2', 'nine', 'zz'].map(id => [
    path('diary', id),
    instance(
      'diary',
      id,
      'author: bob\nat: 2026-01-15T00:00:00Z\nsource: tower',
      'Sternwarte bei Nacht [[open::a#dome]] ^night\n',
    ),
  ]),
  [path('open', 'c'), instance('open', 'c', 'title: C\nacl: {read: [red]}', 'Verborgen [[open::b]]\n')],
  [path('open', 'a0'), instance('open', 'a0', 'title: A0\nacl: {read: []}', 'Kuppel Kuppel\n')],
  [path('open', 'dream'), instance('open', 'new', 'title: D\nscenario: dream\nacl: {read: [red]}', 'Traum\n')],
  [path('open', 'linked'), instance('open', 'linked', 'title: L\nacl: {read: [owner]}', 'x\n')],
]);

beforeAll(async () => {
  issuer = await startIssuer();
  const root = await issuer.token({ sub: 'root', roles: ['escurel:admin'] });
  const ann = await issuer.token({ sub: 'ann' });
  both = await Promise.all(
    [{}, PRIVATE].map(async more => {
      const cairn = await startCairn({ CAIRN_AUTH_OIDC_ISSUER: issuer.issuer, CAIRN_WRITE_ACL: 'enforce' }, ROOMY);
      const admin = client(cairn.origin, root);
      await write(admin, PUBLIC);
      await write(admin, more);
      return { cairn, admin, agent: client(cairn.origin, ann) };
    }),
  );
});
afterAll(async () => {
  await Promise.all(both.map(({ cairn }) => cairn.stop()));
  await issuer.stop();
});

const draft = (body: string, header = 'title: t') => instance('open', 'draft', header, body);
const cuts = [{}, { as_of: '2026-01-20T00:00:00Z' }, { scenario: 'dream' }];

const QUESTIONS: readonly (readonly [string, object])[] = [
  ['list_skills', {}],
  ...[...Object.keys(PUBLIC), ...Object.keys(PRIVATE), 'markdown/instances/diary/none.md'].flatMap(page_id => [
    ...cuts.map(cut => ['expand', { page_id, ...cut }] as const),
    ['neighbours', { page_id, direction: 'in' }] as const,
    ['search', { q: 'Sternwarte', page_id }] as const,
    ['validate', { content: draft('x\n'), as_page_id: page_id }] as const,
  ]),
  ...['diary', 'open', 'member'].flatMap(skill_id => [
    ...[undefined, 'at asc', 'at desc'].flatMap(order_by =>
      [1, 2, 100].flatMap(limit => cuts.map(cut => ['list_instances', { skill_id, order_by, limit, ...cut }] as const)),
    ),
    ['list_instances', { skill_id, frontmatter_key: 'source', frontmatter_value: 'tower' }] as const,
    ['list_instances', { skill_id, frontmatter_key: 'author', frontmatter_value: 'bob', limit: 1 }] as const,
  ]),
  ...['diary::a1', 'a1', 'open::c', 'c', 'open::new', 'linked', 'diary::none', 'none'].flatMap(wikilink =>
    cuts.map(({ scenario }: { scenario?: string }) => ['resolve', { wikilink, scenario }] as const),
  ),
  ...[
    'Sternwarte',
    'Nacht',
    'Verborgen',
    'Kuppel',
    'Traum',
    'tower',
    'bob',
    'diary',
    '[[open::a#dome]]',
    'night',
  ].flatMap(q =>
    [
      {},
      { granularity: 'page' },
      { skill: 'diary' },
      { filter: { source: 'tower' } },
      { filter: { source: null } },
      { filter: { author: { not: 'x' } } },
      { k: 1 },
      { scenario: 'dream' },
    ].map(more => ['search', { q, ...more }] as const),
  ),
  ['search', { queries: ['Sternwarte', 'Nacht', 'Kuppel'] }],
  ...['diary::a1', 'diary::a1#night', 'diary::none#night', 'open::c', 'open::linked', 'a1'].map(
    link => ['validate', { content: draft(`[[${link}]]\n`, `title: "[[${link}]]"`) }] as const,
  ),
  ['validate', { content: instance('diary', 'a1', 'author: ann') }],
  ['validate', { content: instance('open', 'c', 'title: x') }],
  // Tools that join later: while they are not there, both answers say so.
  ...[...Object.keys(PRIVATE), 'markdown/instances/diary/none.md'].flatMap(page_id => [
    ['list_snapshots', { page_id }] as const,
    ['list_op_authors', { page_id }] as const,
    ['fetch_blob', { page_id }] as const,
    ['diff_page', { page_id, from: 'v1' }] as const,
    ['provenance_ancestry', { page_id }] as const,
    ['provenance_ancestry', { page_id, direction: 'down' }] as const,
    ['provenance_ancestry', { page_id: path('open', 'b'), to_page: page_id }] as const,
    ['provenance_ancestry', { page_id, to_page: path('open', 'a') }] as const,
    ['expand', { page_id, as_of: '2999-01-01T00:00:00Z' }] as const,
    ['expand', { page_id, full: true, anchor: 'night' }] as const,
    [
      'patch_page',
      { page_id, anchor: 'night', action: 'replace', content: 'x', expected_sha256: '0'.repeat(64) },
    ] as const,
    ['delete_page', { page_id }] as const,
    ['delete_page', { page_id, base_version: 'v1' }] as const,
    ['move_page', { from: page_id, to: path('open', 'elsewhere') }] as const,
    ['restore_page', { page_id, version: 'v1' }] as const,
    ['purge_page', { page_id }] as const,
  ]),
  ...['up', 'down'].map(direction => ['provenance_ancestry', { page_id: path('open', 'a'), direction }] as const),
  ...['drift', 'abandoned'].map(kind => ['provenance_report', { kind }] as const),
  // Writes that are refused with and without private pages.
  ...Object.keys(PRIVATE).flatMap(page_id =>
    [{}, { if_absent: true }, { base_version: 'v1' }, { base_sha256: '' }].map(
      guard => ['update_page', { page_id, content: instance('open', 'x', 'title: x'), ...guard }] as const,
    ),
  ),
];

/** An answer without the figures that whole-corpus frequencies may move. */
const comparable = (text: string): string => text.replace(/\\?"score\\?":[\d.e-]+/g, '"score":0');

test('E405 E406 E407 whatever is asked, private pages change no answer', async () => {
  const answers = async (agent: Client) => {
    const all: string[] = [];
    for (const [tool, args] of QUESTIONS) {
      const { text } = await agent.call(tool, args);
      all.push(comparable(`${tool} ${JSON.stringify(args)} → ${text}`));
    }
    return all;
  };
  const [without, withPrivate] = await Promise.all(both.map(({ agent }) => answers(agent)));
  expect(withPrivate!.length).toBeGreaterThan(200);
  expect(withPrivate).toEqual(without);
});

test('the private pages are there for whom they are meant', async () => {
  const [, { admin }] = both as [unknown, (typeof both)[number]];
  for (const page_id of Object.keys(PRIVATE).filter(id => !id.includes('dream')))
    expect((await admin.ok('expand', { page_id })).page).not.toBeNull();
  expect((await admin.ok('search', { q: 'Nacht' })).hits.length).toBeGreaterThan(0);
});

test('E215 a cursor never holds the name of a hidden row, and a short page tells of none', async () => {
  const [, { agent }] = both as [unknown, (typeof both)[number]];
  for (const skill_id of ['diary', 'open']) {
    for (const order_by of ['at asc', 'at desc', undefined]) {
      let cursor: string | null = null;
      do {
        const args: object = { skill_id, order_by, limit: 1, ...(cursor === null ? {} : { cursor }) };
        const answer = await agent.ok('list_instances', args);
        expect(answer.instances).toHaveLength(1);
        cursor = answer.next_cursor as string | null;
        const shown = Buffer.from(cursor ?? '', 'base64url').toString();
        expect(Object.keys(PRIVATE).filter(id => shown.includes(id))).toEqual([]);
      } while (cursor !== null);
    }
  }
});

test('E215 a cursor that names a hidden row by guess tells nothing of it', async () => {
  const [, { agent }] = both as [unknown, (typeof both)[number]];
  const answers = ['a1', 'a1x'].map(async id => {
    const cursor = Buffer.from(`|${path('diary', id)}`).toString('base64url');
    return JSON.stringify(await agent.ok('list_instances', { skill_id: 'diary', cursor }));
  });
  expect(new Set(await Promise.all(answers)).size).toBe(1);
});
