import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { tenantId, TenantSpec } from './schema.ts';
import { refuseForeign, type Tenant } from './tenant.ts';

export const tenantGet = defineOp({
  name: 'tenant_get',
  aliases: ['get_tenant'],
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'Name, status and quota overrides of the served tenant.',
  input: z.object({ tenant_id: tenantId }),
  output: z.object({ spec: TenantSpec }),
  publishesOutput: false,
  async run({ tenant }: { readonly tenant: Tenant }, _ctx, { tenant_id }) {
    refuseForeign('tenant_get', tenant.id, tenant_id);
    return { spec: tenant.spec() };
  },
});
