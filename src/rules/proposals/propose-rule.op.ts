import { Failure } from '../../kernel/failure.ts';
import type { RuleReader, SourceReader } from '../ports.ts';
import { readRuleRef, scopeOf } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { approvalUrl } from '../urls.ts';
import { checkQuote } from './check-quote.ts';
import { newProposal } from './new-proposal.ts';
import type { ProposalWriter } from './ports.ts';
import { ProposalCreated, ProposalRequest } from './schema.ts';
import { secretsIn } from '../secrets.ts';

export interface ProposeRuleDeps {
  readonly proposals: ProposalWriter;
  readonly rules: Pick<RuleReader, 'find'>;
  readonly sources: Pick<SourceReader, 'facts' | 'text' | 'segments'>;
  /** Refs of rules that say something alike, without the rule itself. */
  readonly duplicates: (scope: string, said: ProposalRequest, except: string) => Promise<readonly string[]>;
  readonly publicUrl: string;
}

/** Proposes a rule with the quote it rests on. The checks run in the order of contract 6.3; the first that fails refuses. */
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
    const { scope } = request;
    refuseSecrets(request);
    const matches = await checkQuote(deps.sources, request);
    if (request.supersedes !== null) await requireConfirmed(deps, scope, request.supersedes);
    const ref = await deps.proposals.insertProposed(scope, newProposal(request, matches ?? [], ctx), made =>
      ctx.logRow(201, [made]),
    );
    if (ref === undefined) throw unknownReference();
    const { id } = readRuleRef(ref);
    return {
      status: 201,
      log: [],
      output: {
        ref,
        status: 'proposed' as const,
        quote_check: { checked: matches !== undefined },
        possible_duplicates: [...(await deps.duplicates(scope, request, id))],
        approval_url: approvalUrl(deps.publicUrl, id),
      },
    };
  },
});

/** Nothing of a proposal that holds a secret is stored, in any field. */
function refuseSecrets({ statement, source, speaker, relations, keywords }: ProposalRequest): void {
  const names = relations.flatMap(({ name, ref }) => [name, ref ?? '']);
  const texts = [statement, source.quote, source.link ?? '', speaker ?? '', ...names, ...keywords];
  const kinds = [...new Set(texts.flatMap(secretsIn))];
  if (kinds.length === 0) return;
  throw new Failure('secret-detected', 'the proposal holds a secret; nothing was stored', {
    issues: kinds,
    remedy: 'take the secret out and propose again',
  });
}

async function requireConfirmed({ rules }: ProposeRuleDeps, scope: string, ruleId: string): Promise<void> {
  const rule = scopeOf(ruleId) === scope ? await rules.find(scope, ruleId) : undefined;
  if (rule?.current.status !== 'confirmed') throw unknownReference();
}

const unknownReference = (): Failure =>
  new Failure('reference-unknown', 'supersedes names no confirmed rule of this scope', {
    remedy: 'search for the rule that holds now and name it',
  });
