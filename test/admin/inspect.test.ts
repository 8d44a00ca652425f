import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminAudit } from '../../src/admin/admin-audit.op.ts';
import { adminIndexQuery } from '../../src/admin/admin-index-query.op.ts';
import { adminLaneBlob } from '../../src/admin/admin-lane-blob.op.ts';
import { adminLaneKeys } from '../../src/admin/admin-lane-keys.op.ts';
import { adminListLanes } from '../../src/admin/admin-list-lanes.op.ts';
import { rebuild } from '../../src/admin/rebuild.op.ts';
import { instancePage, skillPage, world, type World } from '../world.ts';

const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';
const TEXT = instancePage(
  'note',
  'a',
  { at: '2026-01-02T03:04:05+02:00', uses: '[[note::b]]' },
  '# Top\n\nText [[note::lost]].\n',
);
const INVALID = { code: -32602 };

let w: World;
beforeAll(async () => {
  w = await world({}, () => new Date('2026-03-01T12:00:00.000Z'));
  await w.put({ 'markdown/skills/note.md': skillPage('note'), [A]: TEXT, [B]: instancePage('note', 'b') });
  await w.put(Object.fromEntries(Array.from({ length: 110 }, (_, n) => [`x/${n}.md`, instancePage('note', `x${n}`)])));
  await w.settled();
});
afterAll(() => w.end());

const query = (args: object) => w.admin.call('admin_index_query', args);
const names = (schema: { name: string }[]): string => schema.map(column => column.name).join(', ');

describe('admin_index_query', () => {
  test('[AD17] pages', async () => {
    const { rows, schema } = await query({ table: 'pages' });
    expect(names(schema)).toBe(
      'page_id, slug, skill, page_type, frontmatter, body_hash, at_ts, last_written_by, created_at, updated_at, scenario',
    );
    expect(rows.every((row: object) => Object.keys(row).join(', ') === names(schema))).toBe(true);
    const row = rows.find((one: { page_id: string }) => one.page_id === A);
    expect(row).toEqual({
      page_id: A,
      slug: 'a',
      skill: 'note',
      page_type: 'instance',
      frontmatter: JSON.stringify({
        type: 'instance',
        skill: 'note',
        id: 'a',
        at: '2026-01-02T03:04:05+02:00',
        uses: '[[note::b]]',
      }),
      body_hash: createHash('sha256').update(TEXT).digest('hex'),
      at_ts: expect.stringMatching(/^2026-01-02T01:04:05/),
      last_written_by: 'root',
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
      scenario: null,
    });
  });

  test('[AD17] blocks', async () => {
    const { rows, schema } = await query({ table: 'blocks' });
    expect(names(schema)).toBe('block_id, page_id, anchor, ordinal, body, skill, page_type, at_ts, scenario, context');
    const mine = rows.filter((row: { page_id: string }) => row.page_id === A);
    expect(mine.map((row: { block_id: string }) => row.block_id)).toEqual(
      mine.map((row: { anchor: string }) => `${A}:${row.anchor}`),
    );
    expect(mine).toMatchObject([
      { ordinal: 0, body: '# Top', skill: 'note', page_type: 'instance', scenario: null },
      { ordinal: 1, body: 'Text [[note::lost]].', context: 'Top', anchor: expect.stringMatching(/^blk-/) },
    ]);
  });

  test('[AD17] links', async () => {
    const { rows, schema } = await query({ table: 'links' });
    expect(names(schema)).toBe('src_page, src_anchor, src_field, dst_page, dst_anchor, link_skill, link_version');
    const none = { dst_anchor: null, link_version: null };
    expect(rows.filter((row: { src_page: string }) => row.src_page === A)).toEqual([
      { src_page: A, src_anchor: null, src_field: 'frontmatter.uses', dst_page: B, link_skill: 'note', ...none },
      { src_page: A, src_anchor: expect.any(String), src_field: null, dst_page: 'lost', link_skill: 'note', ...none },
    ]);
  });

  test('[AD18] clamps its limit', async () => {
    const count = async (limit?: number) =>
      (await query({ table: 'pages', ...(limit === undefined ? {} : { limit }) })).rows.length;
    expect([await count(), await count(0), await count(-5), await count(3)]).toEqual([100, 1, 1, 3]);
    const all = await count(1000);
    expect(all).toBeGreaterThan(110);
    const most = await w.admin.ask('admin_index_query', { table: 'pages', limit: 100_000 });
    expect(most.payload.rows.length).toBe(all);
    expect(most.meta).toMatchObject({ limit: 1000 });
  });

  test.each([
    'crdt_ops',
    'crdt_snapshots',
    'chat_messages',
    'events',
    'group_members',
    'credentials',
    'endpoints',
    'page',
    '',
  ])('[AD18] refuses the table %j', async table => {
    expect(await w.admin.fails('admin_index_query', { table })).toMatchObject(INVALID);
  });
});

describe('lanes', () => {
  test('[AD19] there is one', async () => {
    expect(await w.admin.call('admin_list_lanes')).toEqual({
      lanes: [{ name: 'markdown', backend: 'fs', tenants_present: ['default'] }],
    });
  });

  test('[AD20] keys by prefix, in order, with sizes', async () => {
    const keys = async (args: object) => (await w.admin.call('admin_lane_keys', args)).keys;
    expect(await keys({ prefix: 'markdown/instances/' })).toEqual([
      { key: A, size_bytes: Buffer.byteLength(TEXT) },
      { key: B, size_bytes: expect.any(Number) },
    ]);
    expect((await keys({})).length).toBe(100);
    expect((await keys({ limit: 0, lane: 'markdown' })).length).toBe(100);
    const all = (await keys({ limit: 5000 })).map((entry: { key: string }) => entry.key);
    expect(all).toContain('other/x/109.md');
    expect(all).toEqual([...all].sort());
    expect((await keys({ limit: 1 })).map((entry: { key: string }) => entry.key)).toEqual([all[0]]);
    expect(await keys({ prefix: 'nothing' })).toEqual([]);
  });

  test('[AD39] the files are as the writes answered before', async () => {
    const page = 'other/lane/late.md';
    await w.put({ 'lane/late.md': instancePage('note', 'late') });
    const keys = async () => (await w.admin.call('admin_lane_keys', { prefix: 'other/lane/' })).keys.length;
    expect(await keys()).toBe(1);
    await w.admin.call('delete_page', { page_id: page.slice('other/'.length) });
    const { bytes_base64 } = await w.admin.call('admin_lane_blob', { key: page });
    expect(Buffer.from(bytes_base64, 'base64').toString()).toContain('archived: true');
    await w.admin.call('purge_page', { page_id: page.slice('other/'.length) });
    expect(await keys()).toBe(0);
  });

  test('[AD20, AD21] another lane is refused', async () => {
    expect(await w.admin.fails('admin_lane_keys', { lane: 'blobs' })).toMatchObject(INVALID);
    expect(await w.admin.fails('admin_lane_blob', { lane: 'blobs', key: A })).toMatchObject(INVALID);
  });

  test('[AD21] the bytes of a file and its type', async () => {
    const blob = await w.admin.call('admin_lane_blob', { key: A });
    expect(blob).toEqual({ bytes_base64: Buffer.from(TEXT).toString('base64'), content_type: 'text/markdown' });
    const put = (key: string, bytes: Buffer | string): string => {
      mkdirSync(join(w.dataDir, 'markdown'), { recursive: true });
      writeFileSync(join(w.dataDir, key), bytes);
      return key;
    };
    const type = async (key: string) => (await w.admin.call('admin_lane_blob', { key })).content_type;
    expect(await type(put('markdown/a.json', '{}'))).toBe('application/json');
    expect(await type(put('markdown/a.bin', 'x'))).toBe('application/octet-stream');
    expect(await type(put('markdown/full.bin', Buffer.alloc(1_048_576)))).toBe('application/octet-stream');
    const key = put('markdown/over.bin', Buffer.alloc(1_048_577));
    expect(await w.admin.fails('admin_lane_blob', { key })).toMatchObject(INVALID);
  });

  test.each(['markdown/none.md', 'state.sqlite', 'markdown/../state.sqlite', '/etc/hostname', '../x', 'markdown', ''])(
    '[AD21] nothing at %j',
    async key => {
      expect(readFileSync(join(w.dataDir, 'state.sqlite')).length).toBeGreaterThan(0);
      expect(await w.admin.fails('admin_lane_blob', { key })).toMatchObject(INVALID);
    },
  );
});

test('[AD3] audit and rebuild refuse another tenant', async () => {
  for (const tool of ['admin_audit', 'rebuild']) {
    expect(await w.admin.fails(tool, { tenant_id: 'rival' })).toMatchObject({ code: -32002 });
    await w.admin.call(tool, { tenant_id: 'default' });
  }
});

test('[AD22] how the tools are published', () => {
  const looking = [adminAudit, adminIndexQuery, adminListLanes, adminLaneKeys, adminLaneBlob];
  expect(looking.map(op => [op.execution, op.effect, op.scope, op.quota])).toEqual(
    looking.map(() => ['deterministic', 'read', 'admin', 'none']),
  );
  expect([rebuild.execution, rebuild.effect, rebuild.scope, rebuild.quota]).toEqual([
    'orchestration',
    'write',
    'admin',
    'none',
  ]);
});
