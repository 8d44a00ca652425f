import { Failure } from '../../kernel/failure.ts';
import type { RuleVersion, SourceFacts } from '../model.ts';
import { scopeOf, versionRef } from '../refs.ts';
import type { DecisionPlan } from './ports.ts';
import type { DecisionRequest } from './schema.ts';
import { shownSha256 } from './shown.ts';

/** What a decision depends on, as it is now. */
export interface Situation {
  readonly current: RuleVersion;
  readonly source: SourceFacts;
  /** The newest version of the rule to be replaced, if there is such a rule in the scope. */
  readonly predecessor: RuleVersion | undefined;
}

export interface Decider {
  /** Grant id. */
  readonly by: string;
  /** E-mail address of the verified credential. */
  readonly identity: string;
  readonly at: string;
}

/** The rule that a confirmation replaces: as changed, else as proposed. */
export const replaces = (current: RuleVersion, request: DecisionRequest): string | null =>
  request.decision === 'confirm' && request.change?.supersedes !== undefined
    ? request.change.supersedes
    : current.supersedes;

/**
 * What a decision writes, or the refusal that comes first in the order of contract 6.4: `already-decided`,
 * `version-outdated` (also for another digest than the one shown), `reference-unknown`.
 */
export function decide(
  situation: Situation,
  request: DecisionRequest,
  shown: string | undefined,
  decider: Decider,
): DecisionPlan {
  const { current, source } = situation;
  if (current.status === 'rejected' || current.status === 'superseded') throw conflict('already-decided', current);
  if (request.version !== current.version) throw conflict('version-outdated', current);
  if (shown !== undefined && shown !== shownSha256(current, source)) throw conflict('version-outdated', current);
  if (current.status === 'confirmed') throw conflict('already-decided', current);
  const reason = request.reason?.trim() ? request.reason : null;
  const changed = { version: current.version + 1, changedBy: decider.by, changedAt: decider.at };
  const decision = {
    kind: request.decision,
    version: current.version,
    decided_by: decider.by,
    decided_by_identity: decider.identity,
    decided_at: decider.at,
    reason,
    new_version: changed.version,
  };
  if (request.decision === 'reject') {
    const version = { ...current, ...changed, status: 'rejected' as const, reason: request.reason };
    return { version, superseded: null, decision };
  }
  const version = {
    ...current,
    ...changes(request),
    ...changed,
    status: 'confirmed' as const,
    reason: reason ?? 'confirmed',
  };
  return { version, superseded: supersededBy(version, situation, decider), decision };
}

function changes(request: Extract<DecisionRequest, { decision: 'confirm' }>): Partial<RuleVersion> {
  const { statement, kind, keywords, relations, valid_from, said_at, speaker, supersedes } = request.change ?? {};
  return {
    ...(statement !== undefined && { statement }),
    ...(kind !== undefined && { kind }),
    ...(keywords !== undefined && { keywords }),
    ...(relations !== undefined && { relations }),
    ...(valid_from !== undefined && { validFrom: valid_from }),
    ...(said_at !== undefined && { saidAt: said_at }),
    ...(speaker !== undefined && { speaker }),
    ...(supersedes !== undefined && { supersedes }),
  };
}

/** The last version of the rule that `version` replaces: it holds until the new one starts (rules-gaps 4). */
function supersededBy(
  version: RuleVersion,
  { current, predecessor }: Situation,
  { by, at }: Decider,
): DecisionPlan['superseded'] {
  const named = version.supersedes;
  if (named === null) return null;
  if (named === version.ruleId || scopeOf(named) !== scopeOf(version.ruleId) || !predecessor) {
    throw unknownReference('supersedes names no confirmed rule of this scope');
  }
  if (predecessor.status !== 'confirmed') {
    if (named === current.supersedes) throw conflict('already-decided', predecessor);
    throw unknownReference('supersedes names a rule that is not confirmed');
  }
  if (version.validFrom < predecessor.validFrom) {
    throw unknownReference(`the rule to be replaced holds from ${predecessor.validFrom} only`);
  }
  return {
    ...predecessor,
    version: predecessor.version + 1,
    status: 'superseded',
    validUntil: version.validFrom,
    supersededBy: version.ruleId,
    reason: `superseded by ${version.ruleId}`,
    changedBy: by,
    changedAt: at,
  };
}

const conflict = (code: 'already-decided' | 'version-outdated', current: RuleVersion): Failure =>
  new Failure(
    code,
    code === 'already-decided'
      ? `${current.ruleId} is decided already`
      : 'a newer version is there, or it was shown otherwise',
    { current: versionRef(current.ruleId, current.version) },
  );

const unknownReference = (message: string): Failure =>
  new Failure('reference-unknown', message, {
    remedy:
      'name a confirmed rule of this scope, let the new rule hold from a day on which that one holds, or name none',
  });
