import { Failure } from '../../kernel/failure.ts';
import { sha256 } from '../../kernel/hash.ts';
import { randomToken } from '../../kernel/ids.ts';
import type { GrantStore } from '../grants/ports.ts';
import { grantOut } from './grant-out.ts';
import { defineOperatorOp } from './operator-op.ts';
import type { OperatedScopes } from './ports.ts';
import { GrantCreated, GrantRequest } from './schema.ts';

export interface AddGrantDeps {
  readonly grants: GrantStore;
  readonly scopes: Pick<OperatedScopes, 'configured'>;
}

/** Lets a person or a service in. An identity has one active grant; who needs another gets it once the first is disabled. */
export const addGrant = defineOperatorOp({
  name: 'add_grant',
  effect: 'write',
  summary: 'Grant a person or a service rights in scopes.',
  input: GrantRequest,
  output: GrantCreated,
  async run({ grants, scopes }: AddGrantDeps, { now }, { identity, ...request }) {
    const unknown = request.scopes.find(scope => !scopes.configured.includes(scope));
    if (unknown !== undefined) throw new Failure('validation-failed', `scopes: ${unknown} is not configured`);
    const bearer = request.auth === 'bearer' ? `gn_${randomToken(32)}` : null;
    const grant = await grants.add({ ...request, identity: bearer === null ? identity! : sha256(bearer) }, now());
    if (!grant) {
      const remedy = 'cairn grant list shows it; disable it first, then add it anew';
      throw new Failure('grant-exists', 'this identity has an active grant already', { remedy });
    }
    return { grant: grantOut(grant), bearer };
  },
});
