import { z } from 'zod';
import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import { tenantId } from './schema.ts';
import { refuseForeign, type Tenant } from './tenant.ts';

const TOOL = 'tenant_delete';
const REMEDY =
  'suspend it with tenant_update to shut everybody out now; to delete it, take a tenant_export if you may need it, stop the server and remove its data folder';

export const tenantDelete = defineOp({
  name: TOOL,
  aliases: ['delete_tenant'],
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary: 'Refused while the tenant is served, which is always: the answer says how to delete it.',
  input: z.object({
    tenant_id: tenantId,
    confirm: z.string().default('').describe('The id of the tenant once more.'),
  }),
  output: z.object({ deleted: z.boolean() }),
  publishesOutput: false,
  async run({ tenant }: { readonly tenant: Tenant }, _ctx, { tenant_id, confirm }) {
    refuseForeign(TOOL, tenant.id, tenant_id);
    if (confirm !== tenant.id) {
      throw new Failure('invalid_params', `${TOOL}: confirm: must be the id of the tenant`, { argument: 'confirm' });
    }
    throw new Failure('failed_precondition', `${TOOL}: the tenant is being served; ${REMEDY}`, { remedy: REMEDY });
  },
});
