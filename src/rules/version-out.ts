import type { z } from 'zod';
import type { RuleVersion, StoredDecision } from './model.ts';
import type { DecisionOut, RuleVersionOut, SourceKind } from './schema.ts';

/** A version under the names of the wire. */
export const versionOut = (version: RuleVersion): z.output<typeof RuleVersionOut> => ({
  rule_id: version.ruleId,
  version: version.version,
  kind: version.kind,
  statement: version.statement,
  source: {
    kind: kindOf(version.sourceId),
    id: version.sourceId,
    quote: version.quote,
    timestamp_s: version.timestampS,
    link: version.sourceLink,
  },
  said_at: version.saidAt,
  speaker: version.speaker,
  relations: [...version.relations],
  keywords: [...version.keywords],
  valid_from: version.validFrom,
  valid_until: version.validUntil,
  supersedes: version.supersedes,
  superseded_by: version.supersededBy,
  status: version.status,
  reason: version.reason,
  changed_by: version.changedBy,
  changed_at: version.changedAt,
});

/** The kind that a source id begins with. */
export const kindOf = (sourceId: string): SourceKind => sourceId.slice(0, sourceId.indexOf(':')) as SourceKind;

/** A decision without the identity of who made it. */
export const decisionOut = (stored: StoredDecision): DecisionOut => ({
  kind: stored.kind,
  version: stored.version,
  decided_by: stored.decided_by,
  decided_at: stored.decided_at,
  reason: stored.reason,
  new_version: stored.new_version,
  origin: stored.origin,
  mode: stored.mode,
});
