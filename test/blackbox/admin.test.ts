import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEV, startCairn, type Cairn } from './cairn.ts';
import { client, request, type Client } from './client.ts';
import { instance, path, skillPath, writeInstance, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'note');
  await writeInstance(
    agent,
    'note',
    'a',
    'at: 2026-01-02T03:04:05+02:00\nabout: "[[note::b]]"',
    'Para. ^p\n\n- [[note::b#x@v3]]\n',
  );
  await writeInstance(agent, 'note', 'b');
});
afterAll(() => cairn.stop());

const A = path('note', 'a');
const foreign = { code: -32002, data: { code: 'failed_precondition', retryable: false } };
const badParams = { code: -32602, data: { retryable: false } };
const SPEC = { tenant_id: 'default', display_name: 'default', status: 'active' };
type Row = Record<string, unknown>;
const table = async (name: string, limit = 1000): Promise<Row[]> =>
  (await admin.ok('admin_index_query', { table: name, limit })).rows;

test('E666 E673 creating the served tenant is idempotent, any other is not ours', async () => {
  expect(await admin.ok('tenant_create', { tenant_id: 'default' })).toEqual({ spec: SPEC });
  expect(await admin.ok('tenant_create', { tenant_id: 'default' })).toEqual({ spec: SPEC });
  expect(await admin.fails('tenant_create', { tenant_id: 'other' })).toMatchObject(foreign);
});

test.each(['Upper', 'a b', 'ü', 'a'.repeat(65), 'a/b'])('E667 %j is no tenant id', async tenant_id => {
  expect(await admin.fails('tenant_create', { tenant_id })).toMatchObject(badParams);
});

test('E668 E670 the one tenant, active, named by its id', async () => {
  expect(await admin.ok('tenant_list')).toEqual({ tenants: [SPEC] });
  expect(await admin.ok('tenant_get', { tenant_id: 'default' })).toEqual({ spec: SPEC });
});

test.each([
  ['tenant_get', {}],
  ['tenant_update', { display_name: 'x' }],
  ['tenant_export', {}],
  ['tenant_import', { tarball_b64: '' }],
  ['tenant_delete', { confirm: 'other' }],
  ['rebuild', {}],
  ['admin_audit', {}],
  ['admin_quota', {}],
])('E092 E669 E673 E675 %s of another tenant is a failed precondition', async (tool, more) => {
  expect(await admin.fails(tool, { tenant_id: 'other', ...more })).toMatchObject(foreign);
});

test('E671 an update is partial; only another provider of vectors asks for a rebuild', async () => {
  const update = (args: object) => admin.ok('tenant_update', { tenant_id: 'default', ...args });
  expect(await update({ display_name: 'House' })).toEqual({
    spec: { ...SPEC, display_name: 'House' },
    rebuild_required: false,
  });
  const spec = { ...SPEC, display_name: 'House', embedding_provider: 'zero' };
  expect(await update({ embedding_provider: 'zero' })).toEqual({ spec, rebuild_required: true });
  expect(await update({ embedding_provider: 'zero' })).toEqual({ spec, rebuild_required: false });
  expect(await admin.fails('tenant_update', { tenant_id: 'default', embedding_provider: 'abacus' })).toMatchObject(
    badParams,
  );
});

test.each(['paused', '', 'Active', 7])('E672 %j is no status', async status => {
  expect(await admin.fails('tenant_update', { tenant_id: 'default', status })).toMatchObject(badParams);
});

test('E674 a deleted tenant is an empty one, and served', async () => {
  const other = await startCairn({ CAIRN_AUTH_MODE: 'open' });
  try {
    const pages = client(other.origin);
    await writeSkill(pages, 'note');
    expect(await pages.ok('delete_tenant', { tenant_id: 'default', confirm: 'default' })).toEqual({ deleted: true });
    expect((await pages.ok('list_skills')).skills.map(({ id }: { id: string }) => id)).toEqual(['escurel']);
    expect((await request(`${other.origin}/readyz`)).status).toBe(200);
  } finally {
    await other.stop();
  }
});

test.each([{}, { confirm: '' }, { confirm: 'Default' }])('E674 deleting with %j', async args => {
  expect(await admin.fails('tenant_delete', { tenant_id: 'default', ...args })).toMatchObject(badParams);
});

test('E676 an export is the markdown and nothing else, the same bytes each time', async () => {
  const first = await admin.ok('tenant_export', { tenant_id: 'default' });
  const tarball = Buffer.from(first.tarball_b64, 'base64');
  expect(first).toEqual({
    format_version: 1,
    tarball_b64: expect.any(String),
    bytes: tarball.length,
    sha256: createHash('sha256').update(tarball).digest('hex'),
  });
  expect(gunzipSync(tarball).toString('latin1')).toContain('instances/note/a.md');
  expect(await admin.ok('tenant_export', { tenant_id: 'default' })).toEqual(first);
});

test('E677 an import is found before it is answered', async () => {
  const { tarball_b64, bytes } = await admin.ok('tenant_export', {});
  await agent.ok('delete_page', { page_id: path('note', 'b') });
  expect(await admin.ok('tenant_import', { tenant_id: 'default', tarball_b64 })).toMatchObject({
    bytes_imported: bytes,
  });
  expect((await agent.ok('resolve', { wikilink: '[[note::b]]' })).exists).toBe(true);
});

test('E678 E395 a rebuild counts the pages and keeps who wrote them', async () => {
  const written = async () => (await agent.ok('expand', { page_id: A })).page.last_written_by;
  expect(await written()).toBe(DEV.CAIRN_DEV_IDENTITY);
  const { done, total, current_page, ...rest } = await admin.ok('rebuild', {});
  expect([done, current_page, rest]).toEqual([total, '', {}]);
  expect(total).toBe((await table('pages')).length);
  expect(await written()).toBe(DEV.CAIRN_DEV_IDENTITY);
});

test('E679 an audit names what lies there unindexed', async () => {
  expect(await admin.ok('admin_audit', {})).toEqual({ markdown_not_in_duckdb: [], indexed_but_no_markdown: [] });
  const left = path('note', 'left-there');
  writeFileSync(join(cairn.folder, 'data', left), instance('note', 'left-there'));
  const { markdown_not_in_duckdb } = await admin.ok('admin_audit', {});
  const taken = (await agent.ok('expand', { page_id: left })).page !== null;
  expect(taken || markdown_not_in_duckdb.includes(left)).toBe(true);
  await admin.ok('rebuild', {});
  expect(await admin.ok('admin_audit', {})).toEqual({ markdown_not_in_duckdb: [], indexed_but_no_markdown: [] });
  expect((await agent.ok('expand', { page_id: left })).page).not.toBeNull();
});

test('E680 a query of the index has a limit of 1 to 1000', async () => {
  const rows = async (limit?: number) => (await admin.ok('admin_index_query', { table: 'pages', limit })).rows.length;
  expect([await rows(0), await rows(-5), await rows(2)]).toEqual([1, 1, 2]);
  expect(await rows(1e6)).toBe(await rows());
});

test.each([
  ['pages', 'page_id slug skill page_type frontmatter body_hash at_ts last_written_by created_at updated_at scenario'],
  ['blocks', 'block_id page_id anchor ordinal body skill page_type at_ts scenario context'],
  ['links', 'src_page src_anchor src_field dst_page dst_anchor link_skill link_version'],
])('E681 E682 E683 the columns of %s', async (name, columns) => {
  const { rows, schema } = await admin.ok('admin_index_query', { table: name });
  expect(schema.map((column: Row) => column['name']).join(' ')).toBe(columns);
  for (const { type } of schema) expect(type).toMatch(/^[A-Z]+$/);
  for (const row of rows) expect(Object.keys(row).join(' ')).toBe(columns);
});

test('E134 E686 a block is named by page and anchor, a header is JSON text', async () => {
  const blocks = (await table('blocks')).filter(row => row['page_id'] === A);
  expect(blocks.map(row => row['block_id'])).toEqual(blocks.map(row => `${A}:${String(row['anchor'])}`));
  expect(blocks[0]).toMatchObject({ block_id: `${A}:p`, body: 'Para.' });
  const row = (await table('pages')).find(({ page_id }) => page_id === A);
  expect(JSON.parse(String(row?.['frontmatter']))).toMatchObject({ id: 'a', about: '[[note::b]]' });
});

test('E148 writing a page again leaves one row, both times that of the write', async () => {
  await writeInstance(agent, 'note', 'twice');
  await writeInstance(agent, 'note', 'twice');
  const rows = (await table('pages')).filter(({ page_id }) => page_id === path('note', 'twice'));
  expect(rows).toHaveLength(1);
  expect(rows[0]!['created_at']).toBe(rows[0]!['updated_at']);
});

test.each(['events', 'group_members', 'credentials', 'endpoints', 'page_version', ''])(
  'E680 E687 the table %j is not shown',
  async name => {
    expect(await admin.fails('admin_index_query', { table: name })).toMatchObject(badParams);
  },
);

test('E688 one lane', async () => {
  expect(await admin.ok('admin_list_lanes')).toEqual({
    lanes: [{ name: 'markdown', backend: 'fs', tenants_present: ['default'] }],
  });
});

test('E689 the keys of the lane, sorted, 100 without a limit', async () => {
  const keys = async (args: object): Promise<string[]> =>
    (await admin.ok('admin_lane_keys', args)).keys.map((row: Row) => row['key']);
  expect(await keys({})).toContain(A);
  const all = await keys({});
  expect(all).toEqual(all.toSorted());
  expect(await keys({ limit: 0, lane: 'markdown' })).toEqual(all);
  expect(await keys({ lane: '', limit: 1 })).toEqual(all.slice(0, 1));
  expect(await keys({ prefix: 'markdown/instances/note/a' })).toEqual([A]);
  const { keys: rows } = await admin.ok('admin_lane_keys', { prefix: A });
  expect(rows).toEqual([{ key: A, size_bytes: expect.any(Number) }]);
  expect(await admin.fails('admin_lane_keys', { lane: 'blobs' })).toMatchObject(badParams);
});

test('E437 E444 E689 E690 the lane shows each write as soon as it is answered', async () => {
  const [from, to] = [path('note', 'lane-from'), path('note', 'lane-to')];
  const keys = async (): Promise<string[]> =>
    (await admin.ok('admin_lane_keys', { prefix: path('note', 'lane-').replace('.md', '') })).keys.map(
      (row: Row) => row['key'],
    );
  const text = async (key: string): Promise<string> =>
    Buffer.from((await admin.ok('admin_lane_blob', { key })).bytes_base64, 'base64').toString();
  await writeInstance(agent, 'note', 'lane-from', '', 'first\n');
  expect(await text(from)).toContain('first');
  await writeInstance(agent, 'note', 'lane-from', '', 'second\n');
  expect(await text(from)).toContain('second');
  await agent.ok('move_page', { from, to });
  expect(await keys()).toEqual([to]);
  await agent.ok('delete_page', { page_id: to });
  expect(await text(to)).toContain('archived: true');
  await admin.ok('purge_page', { page_id: to });
  expect(await keys()).toEqual([]);
  expect(await admin.fails('admin_lane_blob', { key: to })).toMatchObject(badParams);
});

test('E690 a blob of the lane, up to 1 MiB', async () => {
  const { bytes_base64, content_type, ...rest } = await admin.ok('admin_lane_blob', { key: skillPath('note') });
  expect([content_type, rest]).toEqual(['text/markdown', {}]);
  expect(Buffer.from(bytes_base64, 'base64').toString()).toContain('id: note');
  await writeInstance(agent, 'note', 'large', '', 'x'.repeat(1024 * 1024));
  expect((await admin.ok('admin_lane_keys', { prefix: path('note', 'large') })).keys.length).toBe(1);
  for (const key of [path('note', 'large'), path('note', 'missing'), '../outside'])
    expect(await admin.fails('admin_lane_blob', { key })).toMatchObject(badParams);
});
