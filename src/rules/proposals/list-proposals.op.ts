import type { RuleReader } from '../ports.ts';
import { scopeOf, versionRef } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { approvalUrl } from '../urls.ts';
import { kindOf } from '../version-out.ts';
import { ProposalList, ProposalQuery } from './schema.ts';

export interface ListProposalsDeps {
  readonly rules: Pick<RuleReader, 'list'>;
  readonly publicUrl: string;
}

/** What waits for a decision in one scope, oldest first. */
export const listProposals = defineRuleOp({
  name: 'list_proposals',
  surface: 'rules',
  effect: 'read',
  right: 'read',
  logs: 'list_proposals',
  summary: 'List the proposals of a scope that wait for a decision by a person, oldest first.',
  input: ProposalQuery,
  output: ProposalList,
  touches: ({ scope, after }) => ({ scopes: [scope], named: after === undefined ? [] : [scopeOf(after)] }),
  async run({ rules, publicUrl }: ListProposalsDeps, _ctx, { scope, limit, after }) {
    const found = await rules.list(scope, { statuses: ['proposed'], limit: limit + 1, after });
    const shown = found.slice(0, limit);
    const proposals = shown.map(({ current, createdAt }) => ({
      ref: versionRef(current.ruleId, current.version),
      kind: current.kind,
      statement: current.statement,
      said_at: current.saidAt,
      source: { kind: kindOf(current.sourceId), id: current.sourceId },
      supersedes: current.supersedes,
      created_at: createdAt,
      approval_url: approvalUrl(publicUrl, current.ruleId),
    }));
    return {
      status: 200,
      output: { proposals, next: found.length > limit ? shown.at(-1)!.current.ruleId : null },
      log: [{ scope, refs: proposals.map(({ ref }) => ref) }],
    };
  },
});
