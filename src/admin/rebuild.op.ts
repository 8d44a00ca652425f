import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import type { RebuildIndex } from './ports.ts';
import { tenantId } from './schema.ts';
import { refuseForeign } from './tenant.ts';

export const rebuild = defineOp({
  name: 'rebuild',
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary:
    'Take in files that others changed and derive the whole index again. Answers when that is done; reads go on.',
  input: z.object({
    tenant_id: tenantId,
    accept_deletions: z
      .boolean()
      .default(false)
      .describe('Archive every page whose file is missing, also when so many are that the folder was presumed broken.'),
  }),
  output: z.object({
    done: z.int().nonnegative().describe('Pages derived again, archived ones included.'),
    total: z.int().nonnegative(),
    current_page: z.string().describe('Empty: the answer comes at the end.'),
  }),
  publishesOutput: false,
  async run(deps: { readonly tenant: string; readonly rebuild: RebuildIndex }, ctx, { tenant_id, accept_deletions }) {
    refuseForeign('rebuild', deps.tenant, tenant_id);
    return { ...(await deps.rebuild(ctx.progress, accept_deletions)), current_page: '' };
  },
});
