const DAY_MS = 86_400_000;

/** The days of one zone. Days are `YYYY-MM-DD`. */
export interface Calendar {
  dayOf(instant: Date): string;
  /** Calendar days from one instant to a later one; never below 0. */
  daysBetween(from: Date, to: Date): number;
}

/** `zone` is an IANA name. */
export function calendarIn(zone: string): Calendar {
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const dayOf = (instant: Date): string => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(part => [part.type, part.value]));
    return `${parts['year']!.padStart(4, '0')}-${parts['month']}-${parts['day']}`;
  };
  const number = (instant: Date): number => Date.parse(`${dayOf(instant)}T00:00:00Z`) / DAY_MS;
  return { dayOf, daysBetween: (from, to) => Math.max(0, number(to) - number(from)) };
}
