import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { name, refuseReserved } from './group-members.ts';
import type { GroupMembers } from './ports.ts';

export const addGroupMember = defineOp({
  name: 'add_group_member',
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary: 'Put a subject into a custom access group. It counts from the next call on, without a new login.',
  input: z.object({
    group_id: name('Custom group, as access blocks name it. public, owner and admin are reserved.'),
    subject: name('Subject of the credential that joins.'),
  }),
  output: z.object({ ok: z.boolean() }),
  publishesOutput: false,
  async run({ members }: { readonly members: GroupMembers }, ctx, { group_id, subject }) {
    refuseReserved('add_group_member', group_id);
    await members.add({ group_id, subject, added_at: ctx.now().toISOString(), added_by: ctx.principal.subject });
    return { ok: true };
  },
});
