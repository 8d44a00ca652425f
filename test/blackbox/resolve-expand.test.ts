import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { instance, path, skill, skillPath, write, writeInstance, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'customer', 'description: Who buys');
  await writeSkill(admin, 'diary', 'visibility: owner\nowner_field: author');
  await writeInstance(
    admin,
    'customer',
    'acme-corp',
    'tier: gold\nat: 2026-04-01T00:00:00Z',
    'See [[diary::secret]].\n',
  );
  await writeInstance(admin, 'diary', 'secret', 'author: bob', 'Tagebuch\n');
  await writeInstance(admin, 'customer', 'dreamt', 'scenario: dream');
  await write(admin, {
    [path('customer', 'acme-dream')]: instance('customer', 'acme-corp', 'scenario: dream', 'Dream\n'),
  });
});
afterAll(() => cairn.stop());

const resolve = (wikilink: string, args: object = {}, who = admin) => who.ok('resolve', { wikilink, ...args });
const expand = (page_id: string, args: object = {}, who = admin) => who.ok('expand', { page_id, ...args });
const ACME = path('customer', 'acme-corp');
const ref = { page_id: ACME, slug: 'acme-corp', skill: 'customer', page_type: 'instance' };
const LINK = { skill: 'customer', id: 'acme-corp', anchor: null, version: null, alias: null };

test('E218 a known instance', async () => {
  expect(await resolve('[[customer::acme-corp]]')).toEqual({ parsed: LINK, page: ref, exists: true });
});

test('E219 an unknown target', async () => {
  expect(await resolve('[[customer::nobody]]')).toEqual({
    parsed: { ...LINK, id: 'nobody' },
    page: null,
    exists: false,
  });
  expect(await resolve('[[nosuch::acme-corp]]')).toMatchObject({ page: null, exists: false });
});

test('E220 a bare link finds any page of that slug', async () => {
  expect((await resolve('[[acme-corp]]')).page).toEqual(ref);
  expect((await resolve('[[customer]]')).page).toMatchObject({ page_id: skillPath('customer'), page_type: 'skill' });
});

test('E221 skill::x means skill pages only', async () => {
  await writeInstance(admin, 'customer', 'diary');
  expect((await resolve('[[skill::diary]]')).page.page_id).toBe(skillPath('diary'));
  expect((await resolve('[[skill::acme-corp]]')).exists).toBe(false);
  expect((await resolve('[[customer::customer]]')).exists).toBe(false);
});

test('E222 a link without an id means no page', async () => {
  expect(await resolve('[[customer::]]')).toEqual({ parsed: { ...LINK, id: null }, page: null, exists: false });
});

test('E223 E224 anything but one whole link is -32602; brackets are optional', async () => {
  expect((await resolve('customer::acme-corp')).page).toEqual(ref);
  expect((await resolve('acme-corp')).page).toEqual(ref);
  for (const wikilink of ['[[customer::acme-corp]] x', '[[a]] [[b]]', '', '[[]]', '`[[acme-corp]]`'])
    expect((await admin.fails('resolve', { wikilink })).code).toBe(-32602);
});

test('E226 anchor and version are echoed and do not matter', async () => {
  expect(await resolve('[[customer::acme-corp#nowhere@v99|Acme]]')).toEqual({
    parsed: { ...LINK, anchor: 'nowhere', version: 'v99', alias: 'Acme' },
    page: ref,
    exists: true,
  });
});

test('E227 E406 a private instance answers like a missing one', async () => {
  const hidden = await resolve('[[diary::secret]]', {}, agent);
  const missing = await resolve('[[diary::missing]]', {}, agent);
  expect(hidden).toEqual({ ...missing, parsed: { ...missing.parsed, id: 'secret' } });
  expect((await resolve('[[secret]]', {}, agent)).exists).toBe(false);
});

test('E228 an overlay page is preferred in its scenario and invisible outside', async () => {
  expect((await resolve('[[customer::acme-corp]]', { scenario: 'dream' })).page.page_id).toBe(
    path('customer', 'acme-dream'),
  );
  expect((await resolve('[[customer::acme-corp]]', { scenario: 'other' })).page).toEqual(ref);
  expect((await resolve('[[customer::dreamt]]')).exists).toBe(false);
  expect((await resolve('[[customer::dreamt]]', { scenario: 'dream' })).exists).toBe(true);
});

test('E230 E231 E234 what expand answers', async () => {
  const answer = await expand(ACME);
  expect(answer).toEqual({
    page: { ...ref, last_written_by: 'dev@example.org' },
    frontmatter: {
      type: 'instance',
      skill: 'customer',
      id: 'acme-corp',
      tier: 'gold',
      at: '2026-04-01T00:00:00Z',
    },
    body: 'See [[diary::secret]].\n',
    blocks: [{ anchor: expect.stringMatching(/^blk-[0-9a-f]{8}$/), content: 'See [[diary::secret]].' }],
    wikilinks_out: [{ ...LINK, skill: 'diary', id: 'secret' }],
    content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    version: 'v1',
  });
});

test('E232 E233 an unknown page and a hidden one are exactly {"page": null}', async () => {
  const texts = [];
  for (const page_id of [path('diary', 'missing'), path('diary', 'secret'), 'x']) {
    const { json } = await agent.call('expand', { page_id });
    expect(json.result.structuredContent).toEqual({ page: null });
    texts.push(JSON.stringify(json));
  }
  expect(new Set(texts).size).toBe(1);
});

test('E235 versions count from v1, one a write', async () => {
  const page_id = await writeInstance(admin, 'customer', 'counted');
  expect((await expand(page_id)).version).toBe('v1');
  await writeInstance(admin, 'customer', 'counted', 'n: 2');
  expect((await expand(page_id)).version).toBe('v2');
});

test('E236 a cut or an overlay leaves content_sha256 out', async () => {
  for (const args of [{ as_of: '2026-05-01T00:00:00Z' }, { scenario: 'dream' }]) {
    const answer = await expand(ACME, args);
    expect(answer.page).not.toBeNull();
    expect(answer).not.toHaveProperty('content_sha256');
  }
});

test('E238 a page is not there before it was born', async () => {
  expect(await expand(ACME, { as_of: '2026-03-31T23:59:59Z' })).toEqual({ page: null });
  expect((await expand(ACME, { as_of: '2026-04-01T00:00:00Z' })).page).not.toBeNull();
  for (const as_of of ['soon', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '[]'])
    expect((await admin.fails('expand', { page_id: ACME, as_of })).code).toBe(-32602);
});

test('E240 an overlay page is not there without its scenario', async () => {
  expect(await expand(path('customer', 'dreamt'))).toEqual({ page: null });
  expect(await expand(path('customer', 'dreamt'), { scenario: 'nightmare' })).toEqual({ page: null });
  expect((await expand(path('customer', 'dreamt'), { scenario: 'dream' })).page.slug).toBe('dreamt');
});

test('E211 E240 expand of a base page in a scenario that replaces it', async () => {
  // The overlay wins per slug, and the id asked for still names the page that was asked for.
  const { page } = await expand(ACME, { scenario: 'dream' });
  expect(page.slug).toBe('acme-corp');
});

test('an id in another Unicode form is the same page', async () => {
  const page_id = path('customer', 'zürich');
  await write(admin, { [page_id]: instance('customer', 'zürich') });
  expect((await expand(page_id.normalize('NFD'))).page.page_id).toBe(page_id);
  expect((await resolve(`[[customer::${'zürich'.normalize('NFD')}]]`)).page.page_id).toBe(page_id);
});

test('L17 a write goes to the exact id, never to one that looks alike', async () => {
  await write(admin, { [skillPath('Customer')]: skill('Customer') });
  expect((await expand(skillPath('customer'))).frontmatter.description).toBe('Who buys');
  expect((await expand(skillPath('Customer'))).frontmatter.description).toBeUndefined();
});
