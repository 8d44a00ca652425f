import { z } from 'zod';
import { Failure } from '../kernel/failure.ts';
import { RESERVED_GROUPS } from './schema.ts';

/** A group or subject as an argument: any text that is not blank. Compared letter by letter, so nothing is trimmed. */
export const name = (what: string) => z.string().regex(/\S/, 'must not be blank').describe(what);

/** `invalid_params` for a group whose members no row can name (E051). */
export function refuseReserved(tool: string, group: string): void {
  if (!RESERVED_GROUPS.some(reserved => reserved === group)) return;
  throw new Failure('invalid_params', `${tool}: group_id: ${group} is reserved and takes no members`, {
    argument: 'group_id',
  });
}

/** `2026-01-02T03:04:05.678Z` as `2026-01-02 03:04:05.678000`, the form of the wire (E429). Takes RFC 3339 in UTC. */
export function wireTime(rfc3339: string): string {
  const [seconds, fraction = ''] = rfc3339.replace('T', ' ').replace(/Z$/, '').split('.');
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}`;
}
