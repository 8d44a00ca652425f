import { z } from 'zod';
import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import { emptyTenant, type TenantData } from './empty-tenant.ts';
import { tenantId } from './schema.ts';
import { refuseForeign } from './tenant.ts';

const TOOL = 'tenant_delete';

export const tenantDelete = defineOp({
  name: TOOL,
  aliases: ['delete_tenant'],
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary:
    'Delete every page of the tenant for good, with history and files, and its groups and settings. There is no way back: take a tenant_export before.',
  input: z.object({
    tenant_id: tenantId,
    confirm: z.string().default('').describe('The id of the tenant once more.'),
  }),
  output: z.object({ deleted: z.boolean() }),
  publishesOutput: false,
  async run(deps: TenantData, ctx, { tenant_id, confirm }) {
    const { tenant } = deps;
    refuseForeign(TOOL, tenant.id, tenant_id);
    if (confirm !== tenant.id) {
      throw new Failure('invalid_params', `${TOOL}: confirm: must be the id of the tenant`, { argument: 'confirm' });
    }
    await emptyTenant(deps, ctx.now);
    return { deleted: true };
  },
});
