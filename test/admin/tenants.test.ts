import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenantCreate } from '../../src/admin/tenant-create.op.ts';
import { tenantDelete } from '../../src/admin/tenant-delete.op.ts';
import { tenantExport } from '../../src/admin/tenant-export.op.ts';
import { tenantImport } from '../../src/admin/tenant-import.op.ts';
import { tenantList } from '../../src/admin/tenant-list.op.ts';
import { skillPage, world, type World } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const FRESH = { tenant_id: 'default', display_name: 'default', status: 'active' };

test('[AD23] creating the served tenant names it once', async () => {
  const create = async (args: object) => (await w.admin.call('tenant_create', args)).spec;
  expect(await create({ tenant_id: 'default' })).toEqual(FRESH);
  expect(await create({ tenant_id: '', display_name: 'Müller' })).toEqual({ ...FRESH, display_name: 'Müller' });
  expect(await create({ tenant_id: 'default', display_name: 'Müller' })).toEqual({ ...FRESH, display_name: 'Müller' });
  await w.admin.call('tenant_update', { display_name: 'Renamed', status: 'suspended' });
  const held = { ...FRESH, display_name: 'Renamed', status: 'suspended' };
  expect(await create({ tenant_id: 'default', display_name: 'Müller' })).toEqual(held);
  await w.admin.call('tenant_update', { status: 'active' });
  await w.restart();
  expect(await create({ tenant_id: 'default' })).toEqual({ ...FRESH, display_name: 'Renamed' });
});

test.each(['A', 'a b', '../x', 'ä', 'x'.repeat(65), 'a/b'])('[AD23] %j is no id', async tenant_id => {
  expect(await w.admin.fails('tenant_create', { tenant_id })).toMatchObject({ code: -32602 });
});

test('[AD24] the list has the one tenant', async () => {
  const { spec } = await w.admin.call('tenant_get', { tenant_id: '' });
  expect(await w.admin.call('tenant_list')).toEqual({ tenants: [spec] });
});

test('[AD25] deleting is confirmed, then nothing is left but an empty tenant, also after a restart', async () => {
  await w.put({ 'markdown/skills/kept.md': skillPage('kept') });
  for (const confirm of [undefined, '', 'other', 'DEFAULT']) {
    expect(await w.admin.fails('tenant_delete', { tenant_id: 'default', confirm })).toMatchObject({ code: -32602 });
  }
  expect((await w.admin.call('expand', { page_id: 'markdown/skills/kept.md' })).page).not.toBeNull();

  const archived = 'markdown/skills/gone.md';
  await w.put({ [archived]: skillPage('gone') });
  await w.admin.call('delete_page', { page_id: archived });
  await w.admin.call('add_group_member', { group_id: 'crew', subject: 'ann' });
  await w.admin.call('tenant_update', { display_name: 'House', quotas: { writes_per_minute: 7 } });
  expect(await w.admin.call('tenant_delete', { tenant_id: 'default', confirm: 'default' })).toEqual({ deleted: true });
  for (const restarts of [false, true]) {
    if (restarts) await w.restart();
    const { skills } = await w.admin.call('list_skills');
    expect(skills.map(({ id }: { id: string }) => id)).toEqual(['escurel']);
    for (const page_id of ['markdown/skills/kept.md', archived]) {
      expect(await w.admin.call('expand', { page_id })).toEqual({ page: null });
      expect(await w.admin.call('list_snapshots', { page_id })).toEqual({ snapshots: [] });
    }
    expect((await w.admin.call('search', { q: 'kept' })).hits).toEqual([]);
    expect(await w.admin.call('list_group_members', { group_id: 'crew' })).toEqual({ members: [] });
    expect((await w.admin.call('tenant_get', {})).spec).toEqual(FRESH);
    await w.settled();
    expect((await w.admin.call('admin_lane_keys')).keys.map(({ key }: { key: string }) => key)).toEqual([
      'markdown/skills/escurel.md',
    ]);
    expect(await w.admin.call('admin_audit')).toEqual({ markdown_not_in_duckdb: [], indexed_but_no_markdown: [] });
  }
  await w.put({ 'markdown/skills/kept.md': skillPage('kept') });
  expect((await w.admin.call('expand', { page_id: 'markdown/skills/kept.md' })).version).toBe('v1');
});

test('[AD3] another tenant is refused by every tenant tool', async () => {
  for (const [tool, more] of Object.entries({
    tenant_create: {},
    tenant_delete: { confirm: 'rival' },
    tenant_export: {},
    tenant_import: { tarball_b64: '' },
  })) {
    expect(await w.admin.fails(tool, { tenant_id: 'rival', ...more })).toMatchObject({ code: -32002 });
  }
});

test('[AD32] how the tools are published, and their second names', () => {
  const ops = [tenantCreate, tenantList, tenantDelete, tenantExport, tenantImport];
  expect(ops.map(op => [op.name, op.aliases, op.execution, op.scope, op.quota])).toEqual([
    ['tenant_create', ['create_tenant'], 'orchestration', 'admin', 'none'],
    ['tenant_list', ['list_tenants'], 'deterministic', 'admin', 'none'],
    ['tenant_delete', ['delete_tenant'], 'orchestration', 'admin', 'none'],
    ['tenant_export', ['export_tenant'], 'deterministic', 'admin', 'none'],
    ['tenant_import', ['import_tenant'], 'orchestration', 'admin', 'none'],
  ]);
});

test('[AD32] a second name calls the same tool', async () => {
  expect(await w.admin.call('list_tenants')).toEqual(await w.admin.call('tenant_list'));
});
