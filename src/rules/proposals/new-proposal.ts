import type { QuoteMatch } from '../model.ts';
import type { RuleCtx } from '../rule-op.ts';
import type { NewProposal } from './ports.ts';
import type { ProposalRequest } from './schema.ts';

/** The first version that a checked request stands for. Own words belong to a source of their own a grant (contract 4.3). */
export function newProposal(
  request: ProposalRequest,
  matches: readonly QuoteMatch[],
  { grant, channel, now }: RuleCtx,
): NewProposal {
  const { source } = request;
  return {
    kind: request.kind,
    statement: request.statement,
    sourceId: source.kind === 'manual' ? `manual:${grant.id}` : source.id,
    quote: source.quote,
    timestampS: source.kind === 'jamie' ? source.timestamp_s : null,
    sourceLink: source.link,
    saidAt: request.said_at,
    speaker: request.speaker,
    relations: request.relations,
    keywords: request.keywords,
    validFrom: request.valid_from,
    supersedes: request.supersedes,
    matches,
    reason: `proposed via ${channel}`,
    proposedBy: grant.id,
    at: now().toISOString(),
  };
}
