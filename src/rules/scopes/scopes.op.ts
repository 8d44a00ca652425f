import type { Scopes } from '../ports.ts';
import { defineRuleOp } from '../rule-op.ts';
import { look } from './look.ts';
import { Nothing, ScopeList } from './schema.ts';

export interface ScopesDeps {
  readonly scopes: Scopes;
}

/** The scopes of the caller's grant, with what it may do there. */
export const scopesOp = defineRuleOp({
  name: 'scopes',
  surface: 'rules',
  effect: 'read',
  right: null,
  logs: 'list_scopes',
  summary: 'List the scopes you may use, your rights there, and how many rules each holds.',
  input: Nothing,
  output: ScopeList,
  touches: () => 'granted' as const,
  async run({ scopes }: ScopesDeps, { grant, channel }) {
    const rights = grant.rights.filter(right => right !== 'decide' || channel === 'approval');
    const seen = await Promise.all(grant.scopes.map(scope => look(scopes, scope)));
    return {
      status: 200,
      output: {
        scopes: seen.map(({ scope, locked, counts }) => ({
          scope,
          rights: [...rights],
          locked,
          counts,
          approval_mode: 'manual' as const,
        })),
      },
      log: seen.filter(({ locked }) => !locked).map(({ scope }) => ({ scope, refs: [] })),
    };
  },
});
