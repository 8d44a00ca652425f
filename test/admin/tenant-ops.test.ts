import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adminQuota } from '../../src/admin/admin-quota.op.ts';
import { openTenant, type Tenant } from '../../src/admin/index.ts';
import { tenantGet } from '../../src/admin/tenant-get.op.ts';
import { tenantUpdate } from '../../src/admin/tenant-update.op.ts';
import { createQuotas, type Quotas } from '../../src/auth/index.ts';
import { registry } from '../../src/kernel/registry.ts';
import { withDeps } from '../../src/kernel/op.ts';
import { openAuthStores, type AuthStores } from '../support/auth-stores.ts';
import { refusal } from '../support/refusal.ts';
import { runOp } from '../support/run-op.ts';

let stores: AuthStores;
let quotas: Quotas;
let tenant: Tenant;
let slots: number;

const clock = () => new Date(Date.UTC(2026, 2, 1));
const quotaDeps = () => ({ tenant: 'acme', quotas, sessionsInUse: () => slots });
const get = async () => (await runOp(tenantGet, { tenant }, {})).spec;
const update = (args: Record<string, unknown>) => runOp(tenantUpdate, { tenant }, args);
const left = () => runOp(adminQuota, quotaDeps(), {});
/** As after a restart: everything in memory is new. */
async function start(): Promise<void> {
  quotas = createQuotas({ clock });
  tenant = await openTenant({ id: 'acme', store: stores.tenant, quotas });
}

beforeEach(async () => {
  slots = 0;
  stores = await openAuthStores();
  await start();
});
afterEach(() => stores.close());

const FRESH = { tenant_id: 'acme', display_name: 'acme', status: 'active' };

test('[AD1] a fresh tenant bears its id', async () => {
  expect(await get()).toEqual(FRESH);
  expect(tenant.suspended()).toBe(false);
});

describe('an update', () => {
  test('[AD4] changes what it names and nothing else', async () => {
    const named = { ...FRESH, display_name: 'Müller & Söhne' };
    expect(await update({ display_name: 'Müller & Söhne' })).toEqual({ spec: named, rebuild_required: false });
    expect(await update({ tenant_id: 'acme', status: 'suspended' })).toEqual({
      spec: { ...named, status: 'suspended' },
      rebuild_required: false,
    });
    await update({ quotas: { writes_per_minute: 3 } });
    expect(await update({})).toEqual({
      spec: { ...named, status: 'suspended', quotas: { writes_per_minute: 3 } },
      rebuild_required: false,
    });
    expect((await update({ display_name: '' })).spec.display_name).toBe('acme');
  });

  test('[AD2, AD7] outlives a restart, its quotas in force', async () => {
    await update({ status: 'suspended', display_name: 'A', quotas: { writes_per_minute: 2 } });
    await start();
    expect(await get()).toEqual({ ...FRESH, display_name: 'A', status: 'suspended', quotas: { writes_per_minute: 2 } });
    expect(tenant.suspended()).toBe(true);
    expect(await left()).toMatchObject({ queries_remaining: 600, writes_remaining: 2 });
  });

  test('[AD6] suspends and resumes at once', async () => {
    await update({ status: 'suspended' });
    expect(tenant.suspended()).toBe(true);
    await update({ display_name: 'still suspended' });
    expect(tenant.suspended()).toBe(true);
    await update({ status: 'active' });
    expect(tenant.suspended()).toBe(false);
  });

  test('[AD7] replaces all overrides and fills the buckets', async () => {
    await update({ quotas: { writes_per_minute: 2, queries_per_minute: 5 } });
    quotas.debit('acme', 'writes');
    quotas.debit('acme', 'queries');
    expect((await update({ quotas: { writes_per_minute: 3 } })).spec.quotas).toEqual({ writes_per_minute: 3 });
    expect(await left()).toMatchObject({ queries_remaining: 600, writes_remaining: 3, embeds_remaining: 300 });
    expect((await update({ quotas: {} })).spec).not.toHaveProperty('quotas');
    expect(await left()).toMatchObject({ queries_remaining: 600, writes_remaining: 120 });
  });

  test('[AD7] without quotas leaves the buckets as they are', async () => {
    quotas.debit('acme', 'writes');
    await update({ display_name: 'A', status: 'active' });
    expect(await left()).toMatchObject({ writes_remaining: 119 });
  });

  test('[AD8] asks for a rebuild only when the embedding provider changed', async () => {
    expect(await update({ embedding_provider: 'gemini' })).toEqual({
      spec: { ...FRESH, embedding_provider: 'gemini' },
      rebuild_required: true,
    });
    expect(await update({ embedding_provider: 'gemini' })).toMatchObject({ rebuild_required: false });
    expect(await update({ display_name: 'A' })).toMatchObject({ rebuild_required: false });
    await start();
    expect(await update({ embedding_provider: 'zero' })).toMatchObject({ rebuild_required: true });
    expect(await update({ embedding_provider: 'hash' })).toMatchObject({ rebuild_required: true });
  });

  test('[AD9] is not lost beside others', async () => {
    const changes = [{ display_name: 'A' }, { status: 'suspended' }, { quotas: { writes_per_minute: 9 } }, {}];
    await Promise.all(changes.map(update));
    const all = { ...FRESH, display_name: 'A', status: 'suspended', quotas: { writes_per_minute: 9 } };
    expect(await get()).toEqual(all);
    expect(await stores.tenant.read()).toMatchObject({ display_name: 'A', status: 'suspended' });
  });

  test('[AD9] that could not be stored changes nothing, and the next one counts', async () => {
    const closed = await openAuthStores();
    const lost = await openTenant({ id: 'acme', store: closed.tenant, quotas });
    await closed.close();
    const change = { status: 'suspended', quotas: { writes_per_minute: 1 } } as const;
    await expect(lost.update(change)).rejects.toThrow(/closed/);
    expect(lost.spec()).toEqual(FRESH);
    expect(lost.suspended()).toBe(false);
    expect(quotas.remaining('acme').writes).toBe(120);
    await expect(lost.update(change)).rejects.toThrow(/closed/);
    await update(change);
    expect(await get()).toMatchObject(change);
  });
});

describe('what is refused', () => {
  test.each(['suspend', 'Active', '', null, 1, ['active']])('[AD5] the status %j', status => {
    expect(tenantUpdate.input.safeParse({ status }).success).toBe(false);
  });

  const KEYS = ['queries_per_minute', 'writes_per_minute', 'embeds_per_minute', 'concurrent_sessions'];
  test.each(KEYS)('[AD5] %s takes positive whole numbers only', key => {
    const takes = (value: unknown) => tenantUpdate.input.safeParse({ quotas: { [key]: value } }).success;
    expect([1, 600, 2 ** 40].map(takes)).toEqual([true, true, true]);
    const bad = [0, -1, 1.5, Number.NaN, Infinity, 2 ** 60, '5', null, true, [5]];
    expect(bad.filter(takes)).toEqual([]);
  });

  test('[AD5] max_blob_bytes takes 0 as well, for no limit', () => {
    const takes = (value: unknown) => tenantUpdate.input.safeParse({ quotas: { max_blob_bytes: value } }).success;
    expect([0, 1, 2 ** 40].map(takes)).toEqual([true, true, true]);
    expect([-1, 1.5, 2 ** 60, '0', null].filter(takes)).toEqual([]);
  });

  test.each([
    { quotas: { writes: 5 } },
    { quotas: [] },
    { quotas: 5 },
    { display_name: 5 },
    { embedding_provider: 'x' },
  ])('[AD5] %j', args => {
    expect(tenantUpdate.input.safeParse(args).success).toBe(false);
  });

  test('[AD3] another tenant, by every tool, and nothing happens', async () => {
    for (const tenant_id of ['rival', 'ACME', ' acme', '../acme']) {
      const refused = { code: 'failed_precondition' };
      const change = { tenant_id, status: 'suspended', quotas: { writes_per_minute: 1 } };
      expect(await refusal(runOp(tenantGet, { tenant }, { tenant_id }))).toMatchObject(refused);
      expect(await refusal(update(change))).toMatchObject(refused);
      expect(await refusal(runOp(adminQuota, quotaDeps(), { tenant_id }))).toMatchObject(refused);
    }
    expect(await get()).toEqual(FRESH);
    expect(await left()).toMatchObject({ writes_remaining: 120 });
  });

  test.each([{}, { tenant_id: '' }, { tenant_id: 'acme' }])('[AD3] %j means the served tenant', async args => {
    expect(await runOp(tenantGet, { tenant }, args)).toEqual({ spec: FRESH });
    expect(await update(args)).toMatchObject({ spec: FRESH });
    expect(await runOp(adminQuota, quotaDeps(), args)).toMatchObject({ writes_remaining: 120 });
  });
});

test('[AD10] admin_quota tells what is left and how many slots are taken', async () => {
  slots = 4;
  for (let call = 0; call < 3; call += 1) quotas.debit('acme', 'queries');
  quotas.debit('acme', 'writes');
  quotas.debit('other', 'writes');
  expect(await left()).toEqual({
    queries_remaining: 597,
    writes_remaining: 119,
    embeds_remaining: 300,
    concurrent_sessions: 4,
  });
});

test('[AD11] the tools as they are published, and their second names', () => {
  const ops = registry([
    withDeps(tenantGet, { tenant }),
    withDeps(tenantUpdate, { tenant }),
    withDeps(adminQuota, quotaDeps()),
  ]);
  expect(ops.ops.map(op => [op.name, op.effect, op.execution, op.scope, op.quota])).toEqual([
    ['tenant_get', 'read', 'deterministic', 'admin', 'none'],
    ['tenant_update', 'write', 'orchestration', 'admin', 'none'],
    ['admin_quota', 'read', 'orchestration', 'admin', 'none'],
  ]);
  expect(ops.find('get_tenant')?.name).toBe('tenant_get');
  expect(ops.find('update_tenant')?.name).toBe('tenant_update');
});
