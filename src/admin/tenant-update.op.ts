import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { embeddingProvider, quotas, status, tenantId, TenantSpec } from './schema.ts';
import { refuseForeign, type Tenant } from './tenant.ts';

export const tenantUpdate = defineOp({
  name: 'tenant_update',
  aliases: ['update_tenant'],
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary: 'Rename, suspend or resume the served tenant, or set its quotas. What is not named stays as it is.',
  input: z.object({
    tenant_id: tenantId,
    display_name: z.string().optional().describe('Name for people. Empty: the tenant id.'),
    status: status.optional().describe('suspended: only admins are served.'),
    quotas: quotas
      .optional()
      .describe('Overrides of the built-in limits, in place of all earlier ones; all buckets become full.'),
    embedding_provider: embeddingProvider.optional().describe('Taken at the next start; a change asks for a rebuild.'),
  }),
  output: z.object({ spec: TenantSpec, rebuild_required: z.boolean() }),
  publishesOutput: false,
  async run({ tenant }: { readonly tenant: Tenant }, _ctx, { tenant_id, ...patch }) {
    refuseForeign('tenant_update', tenant.id, tenant_id);
    return tenant.update(patch);
  },
});
