import { Failure } from '../../kernel/failure.ts';
import type { GrantStore } from '../grants/ports.ts';
import { grantOut } from './grant-out.ts';
import { defineOperatorOp } from './operator-op.ts';
import { GrantChanged, GrantRename } from './schema.ts';

/** Changes what a grant is called, and nothing else about it. */
export const renameGrant = defineOperatorOp({
  name: 'rename_grant',
  effect: 'write',
  summary: 'Give a grant another label, or none.',
  input: GrantRename,
  output: GrantChanged,
  async run({ grants }: { readonly grants: GrantStore }, _ctx, { id, label }) {
    const grant = await grants.rename(id, label);
    if (!grant) throw new Failure('not-found', 'no such grant');
    return { grant: grantOut(grant) };
  },
});
