/**
 * Accepted shapes, outer white space aside (F12). Without an offset the time is UTC, never the machine's zone (F11).
 *
 * | shape | example |
 * |---|---|
 * | RFC 3339, any case, any number of fraction digits | `2026-04-01T10:00:00.25+02:00` |
 * | a space or several for the `T`, and before the offset | `2018-11-20 16:33 +0100` |
 * | no seconds, no offset, offset as `+01`, `+0100`, `UTC`, `GMT` | `2026-04-01T10:00` |
 * | one digit for month, day, hour or offset hour | `2001-1-4 9:05 -5` |
 * | a date alone, meaning its midnight | `2026-04-01` |
 */
const SHAPE =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[ \t]*(?:[Zz]|UTC|GMT|([+-])(\d\d?)(?::?(\d\d))?))?)?$/;

/**
 * A point in time as UTC RFC 3339 with milliseconds (`2026-04-01T08:00:00.250Z`), so that text order is time order.
 * Finer fractions are cut. Null for everything that is no string of a shape above, or no day of the calendar (E143).
 */
export function parseAt(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const match = SHAPE.exec(value.trim());
  if (match === null) return null;
  const [year, month, day] = [numberAt(match, 1), numberAt(match, 2), numberAt(match, 3)];
  const [hour, minute, second] = [numberAt(match, 4), numberAt(match, 5), numberAt(match, 6)];
  const [offsetHour, offsetMinute] = [numberAt(match, 9), numberAt(match, 10)];
  // Second 60 is a leap second: it runs over into the next minute.
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null;
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day) return null;
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  time.setUTCHours(hour, minute - offset, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')));
  const utcYear = time.getUTCFullYear();
  return utcYear < 0 || utcYear > 9999 ? null : time.toISOString();
}

const numberAt = (match: RegExpExecArray, group: number): number => Number(match[group] ?? 0);
