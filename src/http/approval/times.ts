import type { Language } from './language.ts';

/** Days and instants as people read them. Days are `YYYY-MM-DD`, instants end in Z. */
export interface Times {
  day(day: string): string;
  /** Day and time in the zone of the instance. */
  instant(instant: string): string;
  /** How many days of the calendar ago, in words. */
  ago(instant: string): string;
  /** `YYYY-MM-DDTHH:MM[:SS[.sss]]` in the zone of the instance, as a form has it. */
  local(instant: string): string;
  /** The day it is there, `YYYY-MM-DD`. */
  readonly today: string;
  readonly zone: string;
}

const LOCALES: Readonly<Record<Language, string>> = { de: 'de-DE', en: 'en-GB' };
const DAY_MS = 86_400_000;

export function timesIn(zone: string, language: Language, now: Date): Times {
  const locale = LOCALES[language];
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: zone });
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const dayNumber = (at: Date): number => Date.parse(`${wallTime(at, zone).slice(0, 10)}T00:00:00Z`) / DAY_MS;
  return {
    zone,
    today: wallTime(now, zone).slice(0, 10),
    day: text => day.format(new Date(`${text}T00:00:00Z`)),
    instant: text => instant.format(new Date(text)),
    ago: text => ago.format(Math.min(0, dayNumber(new Date(text)) - dayNumber(now)), 'day'),
    local: text => localOf(text, zone),
  };
}

/** What a clock in the zone shows at an instant, as short as forms write it. */
export const localOf = (instant: string, zone: string): string =>
  wallTime(new Date(instant), zone).replace(/(:00)?\.000$/, '');

/** `YYYY-MM-DDTHH:MM:SS.sss`. */
function wallTime(at: Date, zone: string): string {
  return new Date(at.getTime() + offsetMs(at, zone)).toISOString().slice(0, -1);
}

/** How far the zone is ahead of UTC at an instant. */
function offsetMs(at: Date, zone: string): number {
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn-hc-h23', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const wall = new Date(0);
  // Date.UTC would take the years 0 to 99 for those of the last century.
  wall.setUTCFullYear(part['year']!, part['month']! - 1, part['day']!);
  wall.setUTCHours(part['hour']!, part['minute']!, part['second']!);
  return wall.getTime() - Math.floor(at.getTime() / 1000) * 1000;
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/;

/**
 * The instant at which a clock in the zone shows `local`; the earlier one when it shows it twice. A time that is skipped there
 * is read with the offset before the gap. Undefined when it is no time.
 */
export function instantOf(local: string, zone: string): string | undefined {
  if (!LOCAL.test(local)) return undefined;
  const wall = new Date(`${local}Z`);
  // A day that no month has would be taken for one of the next month.
  if (Number.isNaN(wall.getTime()) || !wall.toISOString().startsWith(local.slice(0, 10))) return undefined;
  const candidates = [-DAY_MS, DAY_MS].map(near => {
    const offset = offsetMs(new Date(wall.getTime() + near), zone);
    return new Date(wall.getTime() - offset);
  });
  const fitting = candidates.filter(at => at.getTime() + offsetMs(at, zone) === wall.getTime());
  const found = fitting.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? candidates[0]!;
  return found.toISOString().replace('.000Z', 'Z');
}
