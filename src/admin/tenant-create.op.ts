import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { TenantSpec } from './schema.ts';
import { refuseForeign, type Tenant } from './tenant.ts';

export const tenantCreate = defineOp({
  name: 'tenant_create',
  aliases: ['create_tenant'],
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary:
    'Make sure that the served tenant is there. It gets the name when it has none of its own; nothing else changes.',
  input: z.object({
    tenant_id: z
      .string()
      .regex(/^[a-z0-9_-]{0,64}$/, 'must be 1 to 64 of a-z, 0-9, - and _, or empty')
      .describe('The served tenant, or empty for it. Any other is refused.'),
    display_name: z.string().optional().describe('Name for people.'),
  }),
  output: z.object({ spec: TenantSpec }),
  publishesOutput: false,
  async run({ tenant }: { readonly tenant: Tenant }, _ctx, { tenant_id, display_name }) {
    refuseForeign('tenant_create', tenant.id, tenant_id);
    return { spec: await tenant.create(display_name ?? '') };
  },
});
