import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEV, ROOMY, refusedStart, startCairn, startIn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { instance, path, skill, skillPath, write } from './page.ts';

/** What lies in the data folder or the seed folder before the first start. */
let cairn: Cairn;
let admin: Client;
let agent: Client;
const BASE = 'markdown/base/pack/skills/report.md';
const ONLY = 'markdown/base/pack/skills/checklist.md';
beforeAll(async () => {
  const layer = 'layer: base@pack@v3';
  cairn = await startCairn(
    { ...DEV, ESCUREL_SEED_DIR: 'seed' },
    {
      ...ROOMY,
      [`data/${BASE}`]: skill('report', `${layer}\ndescription: of the pack`),
      [`data/${ONLY}`]: skill('checklist', layer),
      'data/markdown/base/pack/instances/report/first.md': instance('report', 'first', layer),
      'data/markdown/instances/note/unreadable.md':
        '---\ntype: instance\nskill: note\nid: unreadable\nacl: {read: [x]\n---\nGeheim\n',
      'seed/instances/note/b.md': instance('note', 'b', '', '[[note::a]]\n'),
      'seed/instances/note/a.md': `\n\uFEFF${instance('note', 'a')}`.trim(),
      'seed/skills/note.md': skill('note'),
      'seed/README.md': '# no page\n',
      'seed/notes.txt': '---\ntype: skill\nid: text\n---\n',
      'seed/deep/er/page.md': instance('note', 'deep'),
    },
  );
  admin = client(cairn.origin, DEV.CAIRN_DEV_ADMIN_TOKEN);
  agent = client(cairn.origin, DEV.CAIRN_DEV_MCP_TOKEN);
  await cairn.logged(({ msg }) => msg === 'files reconciled');
});
afterAll(() => cairn.stop());

// oxlint-disable-next-line no-explicit-any -- rows are looked at as they come
const row = async (id: string): Promise<any> =>
  (await admin.ok('list_skills')).skills.find((each: { id: string }) => each.id === id);

test('E197 a skill of a pack alone shows its layer', async () => {
  expect(await row('checklist')).toMatchObject({ layer: 'base@pack@v3' });
  expect(await row('checklist')).not.toHaveProperty('shadows');
});

test('E384 a stored page of a pack stays as it is, also when the draft drops its layer', async () => {
  for (const content of [skill('report'), skill('report', 'layer: overlay'), instance('report', 'x')]) {
    expect(await admin.ok('update_page', { page_id: BASE, content })).toMatchObject({
      ok: false,
      issues: [{ code: 'layer_read_only', location: 'frontmatter.layer' }],
    });
  }
});

test('E389 only an admin puts a skill of their own over one of a pack', async () => {
  const overlay = { page_id: skillPath('report'), content: skill('report', 'description: of the house') };
  expect(await agent.ok('update_page', overlay)).toMatchObject({
    ok: false,
    issues: [{ severity: 'error', code: 'shadow_requires_curator', location: 'frontmatter.id' }],
  });
  expect(await admin.ok('update_page', overlay)).toMatchObject({ ok: true, issues: [] });
});

test('E196 E220 E229 the overlay is the one row, and what links mean', async () => {
  expect(await row('report')).toMatchObject({
    description: 'of the house',
    layer: 'overlay',
    shadows: 'base@pack@v3',
  });
  for (const wikilink of ['[[skill::report]]', '[[report]]'])
    expect((await agent.ok('resolve', { wikilink })).page.page_id).toBe(skillPath('report'));
  expect((await agent.ok('expand', { page_id: BASE })).frontmatter.description).toBe('of the pack');
});

test('[PG77] E241 E242 the overlay tells what it hides, the page of the pack stands as it is', async () => {
  const { shadow, page } = await agent.ok('expand', { page_id: skillPath('report') });
  expect(page.page_id).toBe(skillPath('report'));
  expect(shadow).toEqual({
    base_page_id: BASE,
    pack: 'base@pack@v3',
    base: { type: 'skill', id: 'report', layer: 'base@pack@v3', description: 'of the pack' },
  });
  for (const page_id of [BASE, ONLY, skillPath('note')])
    expect(await agent.ok('expand', { page_id })).not.toHaveProperty('shadow');
});

test('[PG77] E243 a backend_ref of an unknown kind makes no other page', async () => {
  const page_id = path('note', 'bound');
  await write(admin, { [page_id]: instance('note', 'bound', 'backend_ref: {kind: strange}', 'Plain.\n') });
  const plain = await agent.ok('expand', { page_id });
  expect(plain).toMatchObject({ frontmatter: { backend_ref: { kind: 'strange' } }, body: 'Plain.\n' });
  for (const key of ['backend_projection', 'chunks_total']) expect(plain).not.toHaveProperty(key);
  await write(admin, { [page_id]: instance('note', 'bound', '', 'Still writable.\n') });
});

test('E442 pages of a pack are not moved, and nothing is moved among them', async () => {
  for (const [from, to] of [
    [BASE, 'markdown/skills/other.md'],
    [skillPath('note'), 'markdown/base/pack/skills/note.md'],
  ])
    expect(await admin.ok('move_page', { from, to })).toMatchObject({
      ok: false,
      issues: [{ code: 'layer_read_only', location: 'frontmatter' }],
    });
});

test('E220 an instance of the house comes before one of a pack', async () => {
  await write(admin, { [path('report', 'mine')]: instance('report', 'first') });
  expect((await agent.ok('resolve', { wikilink: '[[report::first]]' })).page.page_id).toBe(path('report', 'mine'));
});

test('N007 E156 a seed folder becomes pages, skills first; what is no page is left', async () => {
  for (const [page_id, slug] of [
    ['markdown/skills/note.md', 'note'],
    ['markdown/instances/note/a.md', 'a'],
    ['markdown/instances/note/b.md', 'b'],
    ['markdown/deep/er/page.md', 'deep'],
  ]) {
    expect((await agent.ok('expand', { page_id })).page).toMatchObject({ slug });
  }
  for (const page_id of ['markdown/README.md', 'markdown/notes.txt'])
    expect(await agent.ok('expand', { page_id })).toEqual({ page: null });
});

test('E096 F07 a file whose header cannot be read is for admins until it can', async () => {
  const page_id = path('note', 'unreadable');
  expect(await agent.ok('expand', { page_id })).toEqual({ page: null });
  expect((await agent.ok('search', { q: 'Geheim' })).hits).toEqual([]);
  expect((await admin.ok('expand', { page_id })).page).not.toBeNull();
  const left = readFileSync(join(cairn.folder, 'data', page_id), 'utf8');
  expect(left).toContain('acl: {read: [x]\n');
});

test('[PG72] a seed folder that is not there refuses the start (N007)', () => {
  const { code, stderr } = refusedStart({ CAIRN_AUTH_MODE: 'open', CAIRN_SEED_DIR: './nowhere' });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^seed-folder-unreadable: .*nowhere/)]);
});

test('E156 a second start leaves pages as they are', async () => {
  await write(admin, { [path('note', 'a')]: instance('note', 'a', 'edited: true') });
  await cairn.end();
  cairn = await startIn(cairn.folder, { ...DEV, ESCUREL_SEED_DIR: 'seed' });
  admin = client(cairn.origin, DEV.CAIRN_DEV_ADMIN_TOKEN);
  expect(await admin.ok('expand', { page_id: path('note', 'a') })).toMatchObject({
    frontmatter: { edited: true },
    version: 'v2',
  });
});
