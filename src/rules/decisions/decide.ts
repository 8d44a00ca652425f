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

/** The rule that a confirmation replaces: as changed, else as proposed. Other decisions replace none. */
export function replaces(current: RuleVersion, request: DecisionRequest): string | null {
  if (request.decision !== 'confirm') return null;
  return request.change?.supersedes === undefined ? current.supersedes : request.change.supersedes;
}

/**
 * What a decision writes (rules-gaps 4), or the refusal that comes first in the order of contract 6.4: `already-decided`,
 * `version-outdated` (also for another digest than the one shown), `already-decided` or `validation-failed` for a decision that
 * the status does not admit, `validation-failed` for an end before the start, `reference-unknown`.
 */
export function decide(
  situation: Situation,
  request: DecisionRequest,
  shown: string | undefined,
  decider: Decider,
): DecisionPlan {
  const { current } = situation;
  refuseStale(situation, request, shown);
  refuseMisplaced(current, request);
  const version = versionOf(current, request, decider);
  const decision = {
    kind: request.decision,
    version: current.version,
    decided_by: decider.by,
    decided_by_identity: decider.identity,
    decided_at: decider.at,
    reason: reasonOf(request),
    new_version: version?.version ?? null,
    origin: 'grant' as const,
    mode: 'manual' as const,
  };
  const superseded = request.decision === 'confirm' && version ? supersededBy(version, situation, decider) : null;
  return { ruleId: current.ruleId, version, superseded, decision };
}

function refuseStale({ current, source }: Situation, request: DecisionRequest, shown: string | undefined): void {
  if (current.status === 'rejected' || current.status === 'superseded') throw conflict('already-decided', current);
  if (request.version !== current.version) throw conflict('version-outdated', current);
  if (shown !== undefined && shown !== shownSha256(current, source)) throw conflict('version-outdated', current);
}

function refuseMisplaced(current: RuleVersion, request: DecisionRequest): void {
  const first = request.decision === 'confirm' || request.decision === 'reject';
  if (current.status === 'confirmed' && first) throw conflict('already-decided', current);
  if (current.status === 'proposed' && !first) {
    throw invalid('decision', 'only a confirmed rule is revoked or reviewed');
  }
  if (request.decision === 'revoke' && request.valid_until < current.validFrom) {
    throw invalid('valid_until', `the rule holds from ${current.validFrom} only`);
  }
}

/** The rule's next version; null for a review that changes nothing. */
function versionOf(current: RuleVersion, request: DecisionRequest, { by, at }: Decider): DecisionPlan['version'] {
  const next = { ...current, version: current.version + 1, changedBy: by, changedAt: at };
  const reason = reasonOf(request);
  switch (request.decision) {
    case 'confirm':
      return { ...next, ...changes(request), status: 'confirmed', reason: reason ?? 'confirmed' };
    case 'reject':
      return { ...next, status: 'rejected', reason: request.reason };
    case 'revoke':
      return { ...next, status: 'superseded', validUntil: request.valid_until, reason: request.reason };
    case 'review': {
      const { keywords } = request.change ?? {};
      return keywords ? { ...next, keywords, status: 'confirmed', reason: reason ?? 'reviewed' } : null;
    }
  }
}

const reasonOf = ({ reason }: DecisionRequest): string | null => (reason?.trim() ? reason : null);

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

const invalid = (field: string, message: string): Failure =>
  new Failure('validation-failed', `${field}: ${message}`, {
    issues: [{ code: 'custom', path: ['body', field], message }],
  });

const unknownReference = (message: string): Failure =>
  new Failure('reference-unknown', message, {
    remedy:
      'name a confirmed rule of this scope, let the new rule hold from a day on which that one holds, or name none',
  });
