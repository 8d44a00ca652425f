import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { path, skillPath, writeInstance, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'customer');
  await writeSkill(admin, 'meeting', 'see: "[[customer::acme]]"');
  await writeSkill(admin, 'diary', 'visibility: owner\nowner_field: author');
  await writeInstance(admin, 'customer', 'acme', 'rank: 1', 'Top ^top\n\n[[meeting::kickoff]] and [[ghost]]\n');
  await writeInstance(admin, 'customer', 'beta', 'rank: 2');
  await writeInstance(
    admin,
    'meeting',
    'kickoff',
    'at: 2026-04-02T00:00:00Z\nrank: 9',
    '[[customer::beta]] [[customer::acme#top]] [[meeting::missing@v2]]\n\n[[acme]] [[diary::secret]]\n',
  );
  await writeInstance(admin, 'diary', 'secret', 'author: bob', '[[customer::acme]] [[customer::beta]]\n');
  await writeInstance(admin, 'meeting', 'dream', 'scenario: dream', '[[customer::beta]]\n');
});
afterAll(() => cairn.stop());

const ACME = path('customer', 'acme');
const KICKOFF = path('meeting', 'kickoff');
const SECRET = path('diary', 'secret');
const edges = async (page_id: string, args: object = {}, who = admin) =>
  (await who.ok('neighbours', { page_id, ...args })).edges;
const short = async (page_id: string, args?: object, who?: Client): Promise<string[]> =>
  (await edges(page_id, args, who)).map(
    ({ src_page, dst_page }: Record<string, string>) => `${name(src_page)}>${name(dst_page)}`,
  );
const name = (id = ''): string => id.replace(/^.*\/(.*)\.md$/, '$1');

test('E254 E255 E256 an edge names both pages; dst_page is a page id where there is one', async () => {
  const [first] = await edges(KICKOFF, { direction: 'out' });
  expect(first).toMatchObject({
    src_page: KICKOFF,
    dst_page: path('customer', 'beta'),
    link_skill: 'customer',
    link_version: null,
    dst_anchor: null,
    dst_exists: true,
  });
});

test('E254 E258 both is the default: outgoing first, then incoming', async () => {
  const all = await short(ACME);
  expect(all).toEqual(await short(ACME, { direction: 'both' }));
  expect(all).toEqual([...(await short(ACME, { direction: 'out' })), ...(await short(ACME, { direction: 'in' }))]);
  expect(await short(ACME, { direction: 'out' })).toEqual(['acme>kickoff', 'acme>ghost']);
});

test('E257 another direction is -32602', async () => {
  for (const direction of ['sideways', 'IN', '']) {
    expect((await admin.fails('neighbours', { page_id: ACME, direction })).code).toBe(-32602);
  }
});

test('E259 incoming edges, bare links that resolve among them', async () => {
  const incoming = await edges(ACME, { direction: 'in' });
  const shapes = incoming.map(({ src_page, link_skill, dst_anchor }: Record<string, string | null>) => [
    src_page,
    link_skill,
    dst_anchor,
  ]);
  expect(shapes).toHaveLength(4);
  expect(shapes).toEqual(
    expect.arrayContaining([
      [KICKOFF, 'customer', 'top'],
      [KICKOFF, '', null],
      [SECRET, 'customer', null],
      [skillPath('meeting'), 'customer', null],
    ]),
  );
});

test('E260 a bare outgoing link has an empty link_skill', async () => {
  const out = await edges(ACME, { direction: 'out' });
  expect(out.at(-1)).toMatchObject({ dst_page: 'ghost', link_skill: '', dst_exists: false });
});

test('E261 link_skill is an exact filter in both directions', async () => {
  expect(await short(ACME, { link_skill: 'meeting' })).toEqual(['acme>kickoff']);
  expect(await short(KICKOFF, { link_skill: 'customer', direction: 'out' })).toEqual(['kickoff>beta', 'kickoff>acme']);
  expect(await short(ACME, { link_skill: '' })).toEqual(['acme>ghost', 'kickoff>acme']);
  expect(await short(ACME, { link_skill: 'Customer' })).toEqual([]);
});

test('E262 link_skill_in, order_by and limit', async () => {
  expect(await short(KICKOFF, { direction: 'out', link_skill_in: ['customer', 'diary'] })).toEqual([
    'kickoff>beta',
    'kickoff>acme',
    'kickoff>secret',
  ]);
  const ranked = { direction: 'out', link_skill: 'customer', order_by: 'rank asc' };
  expect(await short(KICKOFF, ranked)).toEqual(['kickoff>acme', 'kickoff>beta']);
  expect(await short(KICKOFF, { ...ranked, order_by: 'rank desc' })).toEqual(['kickoff>beta', 'kickoff>acme']);
  expect(await short(KICKOFF, { ...ranked, limit: 1 })).toEqual(['kickoff>acme']);
  for (const order_by of ['rank sideways', 'rank asc, at desc', 'rank asc; drop'])
    expect((await admin.fails('neighbours', { page_id: KICKOFF, order_by })).code).toBe(-32602);
});

test('E263 a dangling link is listed', async () => {
  expect(await edges(KICKOFF, { direction: 'out', link_skill: 'meeting' })).toMatchObject([
    { dst_page: 'missing', dst_exists: false, link_version: 'v2' },
  ]);
});

test('E264 a cut hides edges whose source is younger', async () => {
  const as_of = '2026-04-01T00:00:00Z';
  expect(await short(KICKOFF, { as_of, direction: 'out' })).toEqual([]);
  expect(await short(ACME, { as_of, direction: 'in' })).toEqual(
    expect.arrayContaining(['secret>acme', 'meeting>acme']),
  );
  expect(await short(ACME, { as_of, direction: 'in' })).toHaveLength(2);
});

test('E265 edges of an overlay show in its scenario', async () => {
  const beta = path('customer', 'beta');
  expect(await short(beta)).not.toContain('dream>beta');
  expect(await short(beta, { scenario: 'dream' })).toContain('dream>beta');
  expect(await short(beta, { scenario: 'other' })).not.toContain('dream>beta');
});

test('E266 edges to and from hidden pages are left out', async () => {
  expect((await short(KICKOFF, {}, agent)).join()).not.toContain('secret');
  expect((await short(ACME, {}, agent)).join()).not.toContain('secret');
  expect((await short(KICKOFF)).join()).toContain('kickoff>secret');
});

test('E267 a hidden page has no edges', async () => {
  expect(await edges(SECRET, {}, agent)).toEqual([]);
  expect(await short(SECRET)).toContain('secret>acme');
});

test('E268 an unknown page has none either', async () => {
  expect(await admin.ok('neighbours', { page_id: 'markdown/instances/x/y.md' })).toEqual({ edges: [] });
});

test('E269 links follow the page: one that is written later gains its backlinks, one rewritten loses its links', async () => {
  await writeInstance(admin, 'meeting', 'missing');
  expect(await short(path('meeting', 'missing'), { direction: 'in' })).toEqual(['kickoff>missing']);
  const page_id = await writeInstance(admin, 'meeting', 'turn', '', '[[customer::beta]]\n');
  await writeInstance(admin, 'meeting', 'turn', '', 'no more links\n');
  expect(await edges(page_id)).toEqual([]);
});
