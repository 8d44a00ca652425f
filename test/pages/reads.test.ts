import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instancePage, page, skillPage, world, type Caller, type World } from '../world.ts';

const ID = {
  customer: 'markdown/skills/customer.md',
  acme: 'markdown/instances/customer/acme.md',
  meeting: (n: number) => `markdown/instances/meeting/m${n}.md`,
};

let w: World;
let ann: Caller;

beforeAll(async () => {
  w = await world();
  ann = await w.as({ sub: 'ann' });
  await w.put({
    [ID.customer]: skillPage('customer', {
      required_frontmatter: ['tier'],
      optional_frontmatter: ['owner', 7],
      autonomy: ' Auto ',
      params: [
        { name: 'window', kind: 'text', required: true, label: 'Window' },
        { name: 'depth', type: 'INT' },
        { name: 'odd', kind: 'colour' },
        { kind: 'string' },
      ],
      acl: { read: ['public'], update: ['staff'] },
    }),
    'markdown/skills/meeting.md': skillPage('meeting', { required_frontmatter: ['at'] }),
    [ID.acme]: instancePage(
      'customer',
      'acme',
      { tier: 'gold', motivated_by: '[[meeting::m1]]', nested: { tier: 'deep' } },
      '# Acme\n\nBuys labels. ^about\n\nSee [[meeting::m1#when]], [[meeting::m1]] and [[meeting::x]], or [[m2]].\n',
    ),
    [ID.meeting(1)]: instancePage(
      'meeting',
      'm1',
      { at: '2026-01-02T10:00:00+02:00' },
      'First, with [[customer::acme#about|Acme]].\n',
    ),
    [ID.meeting(2)]: instancePage(
      'meeting',
      'm2',
      { at: '2026-03-01T08:00:00Z', number: 5 },
      'Second, with [[acme]].\n',
    ),
    [ID.meeting(3)]: instancePage('meeting', 'm3', {}, 'Undated.\n'),
    [ID.meeting(4)]: instancePage('meeting', 'm4', { at: '2026-02-01T08:00:00Z', number: 5 }, 'Between.\n'),
    'markdown/instances/customer/acme-plan.md': instancePage(
      'customer',
      'acme',
      { tier: 'platinum', scenario: 'plan' },
      'What if.\n',
    ),
  });
});
afterAll(() => w.end());

describe('list_skills', () => {
  test('[PG51] a row has the declared keys and their defaults', async () => {
    const { skills } = await ann.call('list_skills');
    expect(skills.map((row: { id: string }) => row.id)).toEqual(['customer', 'escurel', 'meeting']);
    expect(skills[0]).toEqual({
      id: 'customer',
      description: 'customer pages',
      required_frontmatter: ['tier'],
      optional_frontmatter: ['owner'],
      is_event_typed: false,
      visibility: 'public',
      owner_field: null,
      backend: { kind: 'markdown' },
      capabilities: { writable: true, granularity: 'block', search: 'hybrid', supports_crdt: true },
      layer: 'overlay',
      autonomy: 'auto',
      params: [
        { name: 'window', kind: 'string', required: true, label: 'Window' },
        { name: 'depth', kind: 'integer', required: false },
        { name: 'odd', kind: 'string', required: false },
      ],
    });
    expect(skills[2]).toMatchObject({ is_event_typed: true });
    expect(skills[2]).not.toHaveProperty('params');
    expect(skills[2]).not.toHaveProperty('autonomy');
  });

  test('[PG51] the acl is shown to admins only', async () => {
    const { skills } = await w.admin.call('list_skills');
    expect(skills[0].acl).toEqual({ read: ['public'], update: ['staff'] });
  });
});

describe('list_instances', () => {
  const idsOf = (payload: { instances: { page_id: string }[] }): string[] => payload.instances.map(row => row.page_id);
  const all = [1, 2, 3, 4].map(ID.meeting);

  test('[PG52] by page id without an order; rows carry header and at as written', async () => {
    const payload = await ann.call('list_instances', { skill: 'meeting' });
    expect(idsOf(payload)).toEqual(all);
    expect(payload.next_cursor).toBeNull();
    expect(payload.instances[0]).toMatchObject({
      skill: 'meeting',
      at: '2026-01-02T10:00:00+02:00',
      frontmatter: { id: 'm1' },
    });
    expect(payload.instances[2].at).toBeNull();
  });

  test.each([
    ['at asc', [1, 4, 2, 3]],
    ['AT_DESC', [2, 4, 1, 3]],
    [undefined, [1, 2, 3, 4]],
  ])('[PG52] order %s pages through with a cursor, undated last', async (order_by, numbers) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const payload = await ann.call('list_instances', { skill_id: 'meeting', order_by, limit: 1, cursor });
      expect(payload.instances).toHaveLength(1);
      seen.push(...idsOf(payload));
      cursor = payload.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(numbers.map(ID.meeting));
  });

  test('[PG52] one header key filters, also nested and by its text', async () => {
    const by = (frontmatter_key: string, frontmatter_value: string) =>
      ann.call('list_instances', { skill_id: 'meeting', frontmatter_key, frontmatter_value }).then(idsOf);
    expect(await by('number', '5')).toEqual([ID.meeting(2), ID.meeting(4)]);
    const customers = { skill_id: 'customer', frontmatter_key: 'nested.tier', frontmatter_value: 'deep' };
    expect(idsOf(await ann.call('list_instances', customers))).toEqual([ID.acme]);
    expect(idsOf(await ann.call('list_instances', { skill_id: 'meeting', frontmatter_key: 'number' }))).toEqual(all);
  });

  test('[PG52] an unknown order or a foreign cursor is invalid_params', async () => {
    for (const args of [{ order_by: 'tier asc' }, { cursor: 'no cursor' }, { cursor: 'e30' }]) {
      const error = await ann.fails('list_instances', { skill_id: 'meeting', ...args });
      expect(error).toMatchObject({ code: -32602, data: { code: 'invalid_params', retryable: false } });
      expect(error.message).toMatch(/^list_instances: /);
    }
  });

  test('[PG52] an unknown skill has no rows, and skill pages are no instances', async () => {
    for (const skill_id of ['nothing', 'escurel']) {
      expect(await ann.call('list_instances', { skill_id })).toEqual({ instances: [], next_cursor: null });
    }
  });

  test('[PG58] a time cut keeps undated rows', async () => {
    expect(idsOf(await ann.call('list_instances', { skill_id: 'meeting', as_of: '2026-01-31T23:00:00Z' }))).toEqual([
      ID.meeting(1),
      ID.meeting(3),
    ]);
    expect(await ann.fails('list_instances', { skill_id: 'meeting', as_of: 'yesterday' })).toMatchObject({
      code: -32602,
    });
  });

  test('[PG57] an overlay takes the place of the base page of its slug', async () => {
    const base = await ann.call('list_instances', { skill_id: 'customer' });
    expect(idsOf(base)).toEqual([ID.acme]);
    const plan = await ann.call('list_instances', { skill_id: 'customer', scenario: 'plan' });
    expect(idsOf(plan)).toEqual(['markdown/instances/customer/acme-plan.md']);
    expect(idsOf(await ann.call('list_instances', { skill_id: 'customer', scenario: 'other' }))).toEqual([ID.acme]);
  });
});

describe('resolve', () => {
  const resolve = (wikilink: string, more = {}) => ann.call('resolve', { wikilink, ...more });

  test('[PG53] a typed link finds its page, brackets optional', async () => {
    const found = {
      parsed: { skill: 'customer', id: 'acme', anchor: null, version: null, alias: null },
      page: { page_id: ID.acme, slug: 'acme', skill: 'customer', page_type: 'instance' },
      exists: true,
    };
    expect(await resolve('[[customer::acme]]')).toEqual(found);
    expect(await resolve('customer::acme')).toEqual(found);
    expect((await resolve('[[ customer :: acme @v1#about | A ]]')).parsed).toEqual({
      skill: 'customer',
      id: 'acme',
      anchor: 'about',
      version: 'v1',
      alias: 'A',
    });
  });

  test('[PG53] a bare link finds any page, skill:: only skill pages', async () => {
    expect((await resolve('[[m2]]')).page.page_id).toBe(ID.meeting(2));
    expect((await resolve('[[customer]]')).page.page_id).toBe(ID.customer);
    expect((await resolve('[[skill::customer]]')).page.page_type).toBe('skill');
    expect(await resolve('[[skill::acme]]')).toMatchObject({ page: null, exists: false });
    expect(await resolve('[[customer::]]')).toMatchObject({
      page: null,
      exists: false,
      parsed: { skill: 'customer', id: null },
    });
  });

  test.each(['', '[[]]', 'two [[a]] [[b]]', '[[a]] and more', '`[[a]]`'])('[PG53] %j is no one link', async text => {
    expect(await ann.fails('resolve', { wikilink: text })).toMatchObject({
      code: -32602,
      data: { argument: 'wikilink' },
    });
  });

  test('[PG57] the overlay is preferred where it is named', async () => {
    expect((await resolve('[[customer::acme]]', { scenario: 'plan' })).page.page_id).toContain('acme-plan');
    expect((await resolve('[[meeting::m1]]', { scenario: 'plan' })).page.page_id).toBe(ID.meeting(1));
  });
});

describe('expand', () => {
  test('[PG54] answers the page as committed', async () => {
    const payload = await ann.call('expand', { page_id: ID.meeting(1) });
    expect(payload).toEqual({
      page: { page_id: ID.meeting(1), slug: 'm1', skill: 'meeting', page_type: 'instance', last_written_by: 'root' },
      frontmatter: { type: 'instance', skill: 'meeting', id: 'm1', at: '2026-01-02T10:00:00+02:00' },
      body: 'First, with [[customer::acme#about|Acme]].\n',
      blocks: [
        { anchor: expect.stringMatching(/^blk-[0-9a-f]{8}$/), content: 'First, with [[customer::acme#about|Acme]].' },
      ],
      wikilinks_out: [{ skill: 'customer', id: 'acme', anchor: 'about', version: null, alias: 'Acme' }],
      content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: 'v1',
    });
  });

  test('[PG54] the same bytes under two ids, and written again by another, show their own id, version and writer', async () => {
    const [one, two] = ['a', 'b'].map(folder => `twins/${folder}/same.md`) as [string, string];
    const text = page({ type: 'instance', skill: 'meeting', id: 'same', at: '2026-01-03' }, 'The same.\n');
    await w.put({ [one]: text, [two]: text });
    const shown = async (page_id: string) => {
      const { page: ref, version } = await ann.call('expand', { page_id });
      return [ref.page_id, ref.last_written_by, version];
    };
    for (let again = 0; again < 2; again++) {
      expect(await shown(one)).toEqual([one, 'root', 'v1']);
      expect(await shown(two)).toEqual([two, 'root', 'v1']);
    }
    await ann.call('update_page', { page_id: one, content: text.replace('same', 'other') });
    await ann.call('update_page', { page_id: one, content: text });
    expect(await shown(one)).toEqual([one, 'ann', 'v3']);
    expect(await shown(two)).toEqual([two, 'root', 'v1']);
  });

  test('[PG54] links of the header are not among the body links', async () => {
    const { wikilinks_out } = await ann.call('expand', { page_id: ID.acme });
    expect(wikilinks_out.map((link: { id: string }) => link.id)).toEqual(['m1', 'm1', 'x', 'm2']);
  });

  test('[PG54] an unknown page is exactly {"page": null}', async () => {
    expect(await ann.call('expand', { page_id: 'markdown/none.md' })).toEqual({ page: null });
  });

  test('[PG57] an overlay page is seen only in its scenario, and then for its base page', async () => {
    const overlay = 'markdown/instances/customer/acme-plan.md';
    expect(await ann.call('expand', { page_id: overlay })).toEqual({ page: null });
    expect((await ann.call('expand', { page_id: overlay, scenario: 'plan' })).frontmatter.tier).toBe('platinum');
    const twin = await ann.call('expand', { page_id: ID.acme, scenario: 'plan' });
    expect(twin.frontmatter.tier).toBe('platinum');
    expect(twin).not.toHaveProperty('content_sha256');
  });

  test('[PG58] a page born later is absent before', async () => {
    expect(await ann.call('expand', { page_id: ID.meeting(2), as_of: '2026-02-28T00:00:00Z' })).toEqual({ page: null });
    expect((await ann.call('expand', { page_id: ID.meeting(3), as_of: '2000-01-01T00:00:00Z' })).page.slug).toBe('m3');
  });

  test.each(['/etc/passwd', '../x.md', 'a/../b.md', 'a\\b.md', './a.md', 'a//b.md', ''])(
    '[PG59] page id %j is invalid_params',
    async page_id => {
      for (const tool of ['expand', 'neighbours', 'update_page']) {
        const error = await ann.fails(tool, {
          page_id,
          content: page({ type: 'instance', skill: 'meeting', id: 'x' }),
        });
        expect(error).toMatchObject({ code: -32602, data: { code: 'invalid_params' } });
      }
    },
  );

  test('[PG59] two Unicode forms of an id are one page', async () => {
    const composed = 'markdown/instances/meeting/K\u00fche.md';
    await w.put({ [composed.normalize('NFD')]: instancePage('meeting', 'k', {}) });
    expect((await ann.call('expand', { page_id: composed })).page.page_id).toBe(composed);
    expect((await ann.call('expand', { page_id: composed.normalize('NFD') })).page.page_id).toBe(composed);
  });
});

describe('neighbours', () => {
  const edge = (row: Record<string, unknown>) => [
    row['src_page'],
    row['dst_page'],
    row['link_skill'],
    row['dst_anchor'],
    row['dst_exists'],
  ];

  test('[PG55] outgoing links by anchor and relation, a missing target by its text', async () => {
    const { edges } = await ann.call('neighbours', { page_id: ID.acme, direction: 'out' });
    expect(edges.map(edge)).toEqual([
      [ID.acme, ID.meeting(1), 'meeting', null, true],
      [ID.acme, ID.meeting(1), 'meeting', 'when', true],
      [ID.acme, ID.meeting(1), 'meeting', null, true],
      [ID.acme, 'x', 'meeting', null, false],
      [ID.acme, ID.meeting(2), '', null, true],
    ]);
    expect(edges.map((row: { src_field: string }) => row.src_field)).toEqual([
      'frontmatter.motivated_by',
      null,
      null,
      null,
      null,
    ]);
  });

  test('[PG55] incoming links, bare ones included', async () => {
    const { edges } = await ann.call('neighbours', { page_id: ID.acme, direction: 'in' });
    expect(edges.map(edge)).toEqual([
      [ID.meeting(1), ID.acme, 'customer', 'about', true],
      [ID.meeting(2), ID.acme, '', null, true],
    ]);
    expect(edges[0].target_frontmatter_excerpt).toMatchObject({ id: 'm1' });
  });

  test('[PG55] both directions, filtered, ordered and cut', async () => {
    const both = await ann.call('neighbours', { page_id: ID.acme });
    expect(both.edges).toHaveLength(7);
    const typed = await ann.call('neighbours', { page_id: ID.acme, link_skill: 'customer' });
    expect(typed.edges.map(edge)).toEqual([[ID.meeting(1), ID.acme, 'customer', 'about', true]]);
    const several = await ann.call('neighbours', {
      page_id: ID.acme,
      link_skill_in: ['customer', ''],
      order_by: 'at desc',
      limit: 2,
    });
    expect(several.edges.map((row: Record<string, unknown>) => row['src_page'])).toEqual([ID.acme, ID.meeting(2)]);
    expect(await ann.fails('neighbours', { page_id: ID.acme, direction: 'up' })).toMatchObject({ code: -32602 });
  });

  test('[PG58] a cut hides links of pages born later', async () => {
    const { edges } = await ann.call('neighbours', {
      page_id: ID.acme,
      direction: 'in',
      as_of: '2026-02-01T00:00:00Z',
    });
    expect(edges.map((row: { src_page: string }) => row.src_page)).toEqual([ID.meeting(1)]);
  });

  test('[PG55] an unknown page has no edges', async () => {
    expect(await ann.call('neighbours', { page_id: 'markdown/none.md' })).toEqual({ edges: [] });
  });
});
