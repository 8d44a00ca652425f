import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { LANE } from './lanes.ts';

export const adminListLanes = defineOp({
  name: 'admin_list_lanes',
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'Where the files of pages are kept, and for which tenants.',
  input: z.object({}),
  output: z.object({
    lanes: z.array(z.object({ name: z.string(), backend: z.string(), tenants_present: z.array(z.string()) })),
  }),
  publishesOutput: false,
  async run({ tenant, backend }: { readonly tenant: string; readonly backend: string }) {
    return { lanes: [{ name: LANE, backend, tenants_present: [tenant] }] };
  },
});
