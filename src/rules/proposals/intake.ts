import { Failure } from '../../kernel/failure.ts';
import type { RuleReader, SourceReader } from '../ports.ts';
import { scopeOf } from '../refs.ts';
import type { RuleCtx } from '../rule-op.ts';
import { secretsIn } from '../secrets.ts';
import { checkQuote } from './check-quote.ts';
import { newProposal } from './new-proposal.ts';
import type { ProposalWriter } from './ports.ts';
import type { ProposalRequest } from './schema.ts';

export interface IntakeDeps {
  readonly proposals: ProposalWriter;
  readonly rules: Pick<RuleReader, 'find'>;
  readonly sources: Pick<SourceReader, 'facts' | 'text' | 'segments'>;
}

export interface TakenIn {
  /** Of the first version. */
  readonly ref: string;
  /** Whether the quote was checked: own words are not. */
  readonly checked: boolean;
}

/**
 * The one way of a proposal into a scope, whoever sends it. The checks run in the order of contract 6.3 and the first that fails
 * refuses: `secret-detected`, `source-unknown`, `quote-not-found`, `reference-unknown`; then nothing is stored.
 */
export async function intake(deps: IntakeDeps, ctx: RuleCtx, request: ProposalRequest): Promise<TakenIn> {
  refuseSecrets(request);
  const matches = await checkQuote(deps.sources, request);
  if (request.supersedes !== null) await requireConfirmed(deps, request.scope, request.supersedes);
  const proposal = newProposal(request, matches ?? [], ctx);
  const ref = await deps.proposals.insertProposed(request.scope, proposal, made => ctx.logRow(201, [made]));
  if (ref === undefined) throw unknownReference();
  return { ref, checked: matches !== undefined };
}

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

async function requireConfirmed({ rules }: IntakeDeps, scope: string, ruleId: string): Promise<void> {
  const rule = scopeOf(ruleId) === scope ? await rules.find(scope, ruleId) : undefined;
  if (rule?.current.status !== 'confirmed') throw unknownReference();
}

const unknownReference = (): Failure =>
  new Failure('reference-unknown', 'supersedes names no confirmed rule of this scope', {
    remedy: 'search for the rule that holds now and name it',
  });
