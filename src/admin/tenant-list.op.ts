import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { TenantSpec } from './schema.ts';
import type { Tenant } from './tenant.ts';

export const tenantList = defineOp({
  name: 'tenant_list',
  aliases: ['list_tenants'],
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'The tenants of this gateway: there is one.',
  input: z.object({}),
  output: z.object({ tenants: z.array(TenantSpec) }),
  publishesOutput: false,
  async run({ tenant }: { readonly tenant: Tenant }) {
    return { tenants: [tenant.spec()] };
  },
});
