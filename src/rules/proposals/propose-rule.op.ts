import { readRuleRef, scopeOf } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { approvalUrl } from '../urls.ts';
import { intake, type IntakeDeps } from './intake.ts';
import { ProposalCreated, ProposalRequest } from './schema.ts';

export interface ProposeRuleDeps extends IntakeDeps {
  /** Refs of rules that say something alike, without the rule itself. */
  readonly duplicates: (scope: string, said: ProposalRequest, except: string) => Promise<readonly string[]>;
  readonly publicUrl: string;
}

/** Proposes a rule with the quote it rests on. */
export const proposeRule = defineRuleOp({
  name: 'propose_rule',
  surface: 'rules',
  effect: 'write',
  right: 'propose',
  logs: 'propose',
  summary:
    'Propose a rule or note with a quote from a stored source. It counts only once a person confirms it at approval_url.',
  input: ProposalRequest,
  output: ProposalCreated,
  touches: ({ scope, supersedes }) => ({ scopes: [scope], named: supersedes === null ? [] : [scopeOf(supersedes)] }),
  async run(deps: ProposeRuleDeps, ctx, request) {
    const { ref, checked } = await intake(deps, ctx, request);
    const { id } = readRuleRef(ref);
    return {
      status: 201,
      log: [],
      output: {
        ref,
        status: 'proposed' as const,
        quote_check: { checked },
        possible_duplicates: [...(await deps.duplicates(request.scope, request, id))],
        approval_url: approvalUrl(deps.publicUrl, id),
      },
    };
  },
});
