import { Failure } from '../../kernel/failure.ts';
import { defineOperatorOp } from './operator-op.ts';
import type { OperatedScopes } from './ports.ts';
import { ScopeCreated, ScopeRequest } from './schema.ts';

/** Makes the file of a configured scope. One that was lost is never made anew: that would hide the loss. */
export const createScope = defineOperatorOp({
  name: 'create_scope',
  effect: 'write',
  summary: 'Create the file of a configured scope.',
  input: ScopeRequest,
  output: ScopeCreated,
  async run({ scopes }: { readonly scopes: OperatedScopes }, _ctx, { name }) {
    if (!scopes.configured.includes(name)) {
      const remedy = 'add it to scopes in the configuration file and start again';
      throw new Failure('validation-failed', `name: ${name} is not configured`, { remedy });
    }
    const outcome = await scopes.create(name);
    if (outcome === 'locked') {
      const remedy = 'restore its file from a backup and start again';
      throw new Failure('scope-locked', `scope ${name} is locked`, { remedy });
    }
    return { scope: name, created: outcome === 'created' };
  },
});
