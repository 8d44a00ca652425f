import { Failure } from '../../kernel/failure.ts';
import type { GrantStore } from '../grants/ports.ts';
import { grantOut } from './grant-out.ts';
import { defineOperatorOp } from './operator-op.ts';
import { GrantChanged, GrantId } from './schema.ts';

/** Ends a grant for good. Ending it again changes nothing. */
export const disableGrant = defineOperatorOp({
  name: 'disable_grant',
  effect: 'write',
  summary: 'Disable a grant; it cannot be enabled again.',
  input: GrantId,
  output: GrantChanged,
  async run({ grants }: { readonly grants: GrantStore }, { now }, { id }) {
    const grant = await grants.disable(id, now());
    if (!grant) throw new Failure('not-found', 'no such grant');
    return { grant: grantOut(grant) };
  },
});
