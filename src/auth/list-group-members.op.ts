import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { name, wireTime } from './group-members.ts';
import type { GroupMembers } from './ports.ts';

export const listGroupMembers = defineOp({
  name: 'list_group_members',
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'Who is in a custom access group by a membership row, since when and by whom, earliest first.',
  input: z.object({ group_id: name('Custom group. One without rows has an empty list.') }),
  output: z.object({
    members: z.array(
      z.object({
        group_id: z.string(),
        subject: z.string(),
        added_at: z.string().describe('UTC, YYYY-MM-DD HH:MM:SS.ffffff.'),
        added_by: z.string(),
      }),
    ),
  }),
  publishesOutput: false,
  async run({ members }: { readonly members: GroupMembers }, _ctx, { group_id }) {
    const rows = await members.list(group_id);
    return { members: rows.map(row => ({ ...row, added_at: wireTime(row.added_at) })) };
  },
});
