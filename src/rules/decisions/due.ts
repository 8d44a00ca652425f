import type { Calendar } from '../calendar.ts';
import type { RuleReader, StoredRule } from '../ports.ts';

const DAY_MS = 86_400_000;

export interface DueParts {
  readonly rules: Pick<RuleReader, 'list'>;
  readonly calendar: Calendar;
  /** Calendar days after which a confirmed rule is asked about again (contract 8). */
  readonly recheckAfterDays: number;
}

export interface DueRule extends StoredRule {
  /** Since the last confirmation or review. */
  readonly ageDays: number;
}

/** Confirmed rules of a scope that nobody looked at for too long, in the order in which they were made. */
export async function dueRules(
  { rules, calendar, recheckAfterDays }: DueParts,
  scope: string,
  now: Date,
): Promise<readonly DueRule[]> {
  // So many days of the calendar have nearly as many times 24 hours; the calendar has the last word.
  const reviewedBefore = new Date(now.getTime() - recheckAfterDays * DAY_MS + DAY_MS / 8).toISOString();
  const found = await rules.list(scope, {
    statuses: ['confirmed'],
    reviewedBefore,
    limit: Number.MAX_SAFE_INTEGER,
  });
  return found
    .map(rule => ({ ...rule, ageDays: calendar.daysBetween(new Date(rule.lastReviewedAt), now) }))
    .filter(({ ageDays }) => ageDays > recheckAfterDays);
}
