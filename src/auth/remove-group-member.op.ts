import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { name } from './group-members.ts';
import type { GroupMembers } from './ports.ts';

export const removeGroupMember = defineOp({
  name: 'remove_group_member',
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary: 'Take a subject out of a custom access group. One that is not in it is no error.',
  input: z.object({
    group_id: name('Custom group.'),
    subject: name('Subject of the credential that leaves.'),
  }),
  output: z.object({ ok: z.boolean() }),
  publishesOutput: false,
  async run({ members }: { readonly members: GroupMembers }, _ctx, { group_id, subject }) {
    await members.remove(group_id, subject);
    return { ok: true };
  },
});
