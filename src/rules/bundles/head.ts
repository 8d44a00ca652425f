import type { Calendar } from '../calendar.ts';
import type { RuleVersion } from '../model.ts';
import type { StoredRule } from '../ports.ts';
import { versionRef } from '../refs.ts';
import type { VisibleStatus } from '../schema.ts';
import type { Found } from '../search/answer.ts';
import { kindOf } from '../version-out.ts';
import type { Head } from './schema.ts';

export interface HeadView {
  readonly scope: string;
  readonly calendar: Calendar;
  readonly now: Date;
  /** Days after which a confirmed rule is asked about again. */
  readonly recheckAfterDays: number;
}

/** A rule version as callers see it. `found`: how a search came to it; a read has none. Never for a rejected version. */
export function headOf(
  version: RuleVersion,
  { lastReviewedAt }: Pick<StoredRule, 'lastReviewedAt'>,
  { scope, calendar, now, recheckAfterDays }: HeadView,
  found?: Found,
): Head {
  const ageDays = calendar.daysBetween(new Date(lastReviewedAt), now);
  const due = version.status === 'confirmed' && ageDays > recheckAfterDays;
  return {
    ref: versionRef(version.ruleId, version.version),
    kind: version.kind,
    date: version.saidAt,
    title: version.statement,
    excerpt: version.quote,
    link: version.sourceLink,
    scope,
    status: version.status as VisibleStatus,
    unconfirmed: version.status === 'proposed',
    valid_from: version.validFrom,
    valid_until: version.validUntil,
    superseded_by: version.supersededBy,
    last_reviewed_at: lastReviewedAt,
    age_days: ageDays,
    recheck: due ? 'still valid?' : null,
    source: {
      kind: kindOf(version.sourceId),
      id: version.sourceId,
      quote: version.quote,
      timestamp: version.timestampS === null ? null : clock(version.timestampS),
      link: version.sourceLink,
    },
    speaker: version.speaker,
    relations: [...version.relations],
    rank: found ? { ...found.rank } : { a: null, b: null, rrf: null, reranker: null },
    found_via: [...(found?.foundVia ?? [])],
    coverage: found?.coverage ?? null,
    matched_terms: found?.matchedTerms ?? null,
    entities: [],
  };
}

/** Seconds as `m:ss`, from an hour on as `h:mm:ss`. */
export function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
