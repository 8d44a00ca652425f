import type { Calendar } from '../calendar.ts';

const DAY_MS = 86_400_000;

export interface DueParts {
  readonly calendar: Calendar;
  /** Calendar days after which a confirmed rule is asked about again (contract 8). */
  readonly recheckAfterDays: number;
}

/**
 * A confirmed rule whose newest confirmation or review lies before this instant is due: more than so many days of the calendar
 * have passed since. It is the first moment of the oldest day that is not due yet.
 */
export function dueBefore({ calendar, recheckAfterDays }: DueParts, now: Date): string {
  const today = Date.parse(`${calendar.dayOf(now)}T00:00:00Z`);
  const day = today - recheckAfterDays * DAY_MS;
  const wanted = new Date(day).toISOString().slice(0, 10);
  // No zone is a whole day away from UTC.
  let [before, from] = [day - DAY_MS, day + DAY_MS];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (calendar.dayOf(new Date(middle)) < wanted) before = middle;
    else from = middle;
  }
  return new Date(from).toISOString();
}
