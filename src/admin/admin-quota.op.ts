import { z } from 'zod';
import type { Quotas } from '../auth/index.ts';
import { defineOp } from '../kernel/op.ts';
import { tenantId } from './schema.ts';
import { refuseForeign } from './tenant.ts';

export interface AdminQuotaDeps {
  /** Id of the served tenant. */
  readonly tenant: string;
  readonly quotas: Quotas;
  readonly sessionsInUse: () => number;
}

const count = z.int().nonnegative();

export const adminQuota = defineOp({
  name: 'admin_quota',
  surface: 'admin',
  effect: 'read',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary: 'How many calls the quotas of the tenant would let through right now, and how many session slots are taken.',
  input: z.object({ tenant_id: tenantId }),
  output: z.object({
    queries_remaining: count,
    writes_remaining: count,
    embeds_remaining: count,
    concurrent_sessions: count.describe('Slots in use.'),
  }),
  publishesOutput: false,
  async run({ tenant, quotas, sessionsInUse }: AdminQuotaDeps, _ctx, { tenant_id }) {
    refuseForeign('admin_quota', tenant, tenant_id);
    const { queries, writes, embeds } = quotas.remaining(tenant);
    return {
      queries_remaining: queries,
      writes_remaining: writes,
      embeds_remaining: embeds,
      concurrent_sessions: sessionsInUse(),
    };
  },
});
