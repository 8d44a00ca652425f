import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { path, writeInstance, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'machine', 'description: Presses');
  await writeSkill(admin, 'diary', 'visibility: owner\nowner_field: author');
  await writeInstance(
    admin,
    'machine',
    'press',
    'at: 2026-04-01T00:00:00Z\nprice: 5\nstatus: open\ntags: [a, b]\nowner: null',
    'The gearbox hums. ^first\n\nA second gearbox rattles. ^second\n',
  );
  await writeInstance(
    admin,
    'machine',
    'lathe',
    'at: 2026-05-01T00:00:00Z\nprice: "5"\nstatus: in_review',
    `Gearbox oil. ${'long text without end '.repeat(30)}\n`,
  );
  await writeInstance(admin, 'machine', 'saw', 'price: 40\nstatus: shut', 'A gearbox too.\n');
  await writeInstance(admin, 'diary', 'secret', 'author: bob', 'Hidden gearbox plan, Geheimwort.\n');
  await writeInstance(admin, 'machine', 'dream', 'scenario: dream', 'A dreamt gearbox.\n');
});
afterAll(() => cairn.stop());

const search = (args: object, who = admin) => who.ok('search', args);
const slugs = async (args: object, who = admin): Promise<string[]> =>
  [
    ...new Set<string>((await search({ q: 'gearbox', ...args }, who)).hits.map(({ slug }: { slug: string }) => slug)),
  ].toSorted();
const filtered = (filter: unknown) => slugs({ filter, skill: 'machine' });

test('E270 E279 a hit has these keys and the whole header', async () => {
  const { hits, granularity, ...rest } = await search({ q: 'rattles' });
  expect([granularity, rest]).toEqual(['block', {}]);
  expect(hits).toEqual([
    {
      page_id: path('machine', 'press'),
      slug: 'press',
      skill: 'machine',
      page_type: 'instance',
      anchor: 'second',
      snippet: 'A second gearbox rattles.',
      score: expect.any(Number),
      similarity: expect.any(Number),
      frontmatter_excerpt: {
        type: 'instance',
        skill: 'machine',
        id: 'press',
        at: '2026-04-01T00:00:00Z',
        price: 5,
        status: 'open',
        tags: ['a', 'b'],
        owner: null,
      },
    },
  ]);
});

test('E271 E272 exactly one of q and queries, not blank', async () => {
  for (const args of [{}, { q: '' }, { q: '  ' }, { queries: [] }, { queries: ['', ' '] }, { q: 'a', queries: ['b'] }])
    expect((await admin.fails('search', args)).code).toBe(-32602);
});

test('E273 queries are trimmed, blanks and repeats dropped, the first eight count', async () => {
  const one = await search({ queries: ['rattles'] });
  expect(one.hits.map(({ slug }: { slug: string }) => slug)).toEqual(['press']);
  expect((await search({ queries: [' rattles ', '', 'rattles'] })).hits).toEqual(one.hits);
  const ninth = [...'abcdefgh'].map(letter => `zzz${letter}`).concat('rattles');
  expect((await search({ queries: ninth })).hits).toEqual([]);
  expect((await search({ queries: ['rattles', 'oil'] })).hits).toHaveLength(2);
});

test('E284 several phrasings rank pages: one hit a page, by the block of the first phrasing that found it', async () => {
  const { hits } = await search({ queries: ['gearbox hums', 'rattles'], skill: 'machine' });
  const press = hits.filter(({ slug }: { slug: string }) => slug === 'press');
  expect(press).toMatchObject([{ anchor: 'first' }]);
  expect(press[0].score).toBeCloseTo(1 / 61 + 1 / 61, 6);
});

test('E274 ten hits unless k says otherwise; none for 0; an enormous k is cut and said so', async () => {
  for (let at = 0; at < 12; at += 1) await writeInstance(admin, 'machine', `many-${at}`, '', `Schraube ${at}\n`);
  expect((await search({ q: 'Schraube' })).hits).toHaveLength(10);
  expect((await search({ q: 'Schraube', k: 12 })).hits).toHaveLength(12);
  expect((await search({ q: 'Schraube', k: 3 })).hits).toHaveLength(3);
  expect((await search({ q: 'Schraube', k: 0 })).hits).toEqual([]);
  const { json } = await admin.call('search', { q: 'Schraube', k: 1_000_000_000 });
  expect(json.result.structuredContent.hits).toHaveLength(12);
  expect(JSON.stringify(json.result['_meta'])).toMatch(/"k"|\bk\b/);
});

test('E275 E276 granularity page gives a page once and no anchor; other words mean block', async () => {
  for (const granularity of ['page', 'PAGE', 'Page']) {
    const { hits, ...rest } = await search({ q: 'gearbox', granularity, skill: 'machine' });
    expect(rest.granularity).toBe('page');
    expect(hits.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(['lathe', 'press', 'saw']);
    expect(hits.every(({ anchor }: { anchor: unknown }) => anchor === null)).toBe(true);
  }
  const { hits, granularity } = await search({ q: 'gearbox', granularity: 'sentence', skill: 'machine' });
  expect([granularity, hits.length]).toEqual(['block', 4]);
});

test('E277 page_type', async () => {
  expect(await slugs({ q: 'Presses OR machine', page_type: 'skill' })).not.toContain('press');
  expect((await admin.fails('search', { q: 'a', page_type: 'page' })).code).toBe(-32602);
});

test('E278 skill and skill_id filter exactly', async () => {
  expect(await slugs({ skill: 'diary' })).toEqual(['secret']);
  expect(await slugs({ skill_id: 'diary' })).toEqual(['secret']);
  expect(await slugs({ skill: 'diar' })).toEqual([]);
});

test('E280 a long snippet is cut at white space and says so', async () => {
  const [hit] = (await search({ q: 'oil' })).hits;
  expect(hit.snippet).toMatch(/^Gearbox oil\. long/);
  expect(hit.snippet).toMatch(/(long|text|without|end)…$/);
  expect([...hit.snippet].length).toBeLessThanOrEqual(201);
});

test('E281 scores fall, ties included', async () => {
  const scores = (await search({ q: 'gearbox' })).hits.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  expect(scores.at(-1)).toBeGreaterThan(0);
});

test('E282 similarity is 0 for a hit of the keywords alone', async () => {
  expect((await search({ q: 'rattles' })).hits[0].similarity).toBe(0);
});

test('E285 an empty filter is none', async () => {
  for (const filter of [{}, null]) expect(await filtered(filter)).toEqual(['lathe', 'press', 'saw']);
});

test('E286 a plain value must be equal, type included', async () => {
  expect(await filtered({ price: 5 })).toEqual(['press']);
  expect(await filtered({ price: '5' })).toEqual(['lathe']);
  expect(await filtered({ status: 'open' })).toEqual(['press']);
  expect(await filtered({ status: 'OPEN' })).toEqual([]);
});

test('E287 null means absent or null', async () => {
  expect(await filtered({ at: null })).toEqual(['saw']);
  expect(await filtered({ owner: null })).toEqual(['lathe', 'press', 'saw']);
});

test('E288 comparisons within one type, never for a missing field', async () => {
  expect(await filtered({ price: { '>=': 5 } })).toEqual(['press', 'saw']);
  expect(await filtered({ price: { '>': 5 } })).toEqual(['saw']);
  expect(await filtered({ price: { '<': 40 } })).toEqual(['press']);
  expect(await filtered({ price: { '<=': '5' } })).toEqual(['lathe']);
  expect(await filtered({ at: { '>=': '2026-04-15' } })).toEqual(['lathe']);
  expect(await filtered({ at: { '<': '2026-04-15' } })).toEqual(['press']);
});

test('E289 in and not', async () => {
  expect(await filtered({ status: { in: ['open', 'shut'] } })).toEqual(['press', 'saw']);
  expect(await filtered({ status: { in: [] } })).toEqual([]);
  expect(await filtered({ at: { not: '2026-04-01T00:00:00Z' } })).toEqual(['lathe']);
});

test.each([
  { price: { '~': 5 } },
  { price: { '=': 5 } },
  { price: { $gt: 5 } },
  { price: { in: 5 } },
  { price: { '>=': { a: 1 } } },
  { price: { '>=': null } },
  { price: { '>=': [1] } },
  { price: {} },
])('E290 the filter %j is an issue and nothing is searched', async filter => {
  const { hits, issues } = await search({ q: 'gearbox', filter });
  expect(hits).toEqual([]);
  expect(issues[0]).toMatchObject({
    severity: 'error',
    code: expect.any(String),
    location: expect.stringContaining('price'),
  });
});

const NO_CANDIDATE = { reason: 'no-candidate', best_coverage: null, min_coverage: 0 };

test('[PG56] nonsense has no hits and the answer says why; none asked for is no abstention (S13)', async () => {
  expect(await search({ q: 'xqzwvkjhgfdsapoiuytrewqmnbvc' })).toEqual({
    hits: [],
    granularity: 'block',
    abstained: NO_CANDIDATE,
  });
  expect(await search({ q: 'gearbox', k: 0 })).toEqual({ hits: [], granularity: 'block' });
  expect(await search({ q: 'gearbox' })).not.toHaveProperty('abstained');
});

test('[PG56] a page of a header alone is shown by its title, and has no block to point at (F05)', async () => {
  await writeInstance(admin, 'machine', 'bare', 'title: Alpaka im Kopf', '');
  const { hits } = await search({ q: 'Alpaka' });
  expect(hits).toMatchObject([{ slug: 'bare', snippet: 'Alpaka im Kopf', anchor: null }]);
});

test('[PG76] an unknown key is an issue that names the key that was likely meant; a null check is none', async () => {
  const asked = async (filter: object) => search({ q: 'gearbox', filter });
  expect(await asked({ statsu: 'open' })).toEqual({
    hits: [],
    granularity: 'block',
    issues: [
      expect.objectContaining({
        code: 'filter_key_unknown',
        location: 'filter.statsu',
        suggestion: expect.stringContaining('status'),
      }),
    ],
  });
  expect((await asked({ status: 'open', quux: { '>=': 5 } })).issues).toMatchObject([{ location: 'filter.quux' }]);
  for (const filter of [{ quux: null, status: 'none' }, { status: 'none' }, { price: { '>': 1000 } }])
    expect(await asked(filter)).toEqual({ hits: [], granularity: 'block', abstained: NO_CANDIDATE });
});

test('E291 all operators and keys must hold', async () => {
  expect(await filtered({ price: { '>=': 5, '<': 40 } })).toEqual(['press']);
  expect(await filtered({ price: { '>=': 5 }, status: 'shut' })).toEqual(['saw']);
});

test('E292 a list as value is the whole list', async () => {
  expect(await filtered({ tags: ['a', 'b'] })).toEqual(['press']);
  expect(await filtered({ tags: ['a'] })).toEqual([]);
  expect(await filtered({ tags: ['b', 'a'] })).toEqual([]);
});

test('E293 cuts and overlays', async () => {
  expect(await slugs({ as_of: '2026-04-15T00:00:00Z', skill: 'machine' })).toEqual(['press', 'saw']);
  expect(await slugs({ skill: 'machine' })).not.toContain('dream');
  expect(await slugs({ skill: 'machine', scenario: 'dream' })).toEqual(['dream', 'lathe', 'press', 'saw']);
});

test('E294 page_id keeps to one page', async () => {
  expect(await slugs({ page_id: path('machine', 'saw') })).toEqual(['saw']);
  expect(await slugs({ page_id: path('machine', 'none') })).toEqual([]);
});

test('E297 hidden pages are no hits and push none out', async () => {
  expect(await slugs({}, agent)).toEqual(['lathe', 'press', 'saw']);
  expect((await search({ q: 'Geheimwort' }, agent)).hits).toEqual([]);
  expect((await search({ q: 'Geheimwort' })).hits).toHaveLength(1);
  for (let at = 0; at < 30; at += 1) {
    await writeInstance(admin, 'diary', `full-${at}`, 'author: bob', 'Kuckuck Kuckuck Kuckuck\n');
  }
  await writeInstance(admin, 'machine', 'cuckoo', '', 'Eine lange Zeile, in der einmal Kuckuck steht.\n');
  const { hits } = await search({ q: 'Kuckuck', k: 1 }, agent);
  expect(hits.map(({ slug }: { slug: string }) => slug)).toEqual(['cuckoo']);
});

test.each([
  'BENCH-100821',
  "don't",
  'GB/s',
  '--error-on-warnings',
  'customer::acme',
  '1.0.21',
  '2026.4.10',
  'C++',
  'a_b',
])('S01-S05 %s is found as typed', async text => {
  await writeInstance(admin, 'machine', 'literal', '', `Before ${text} after.\n`);
  for (const q of [text, `"${text}"`])
    expect((await search({ q })).hits.map(({ slug }: { slug: string }) => slug)).toContain('literal');
});
