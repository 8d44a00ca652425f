import { RESERVED_GROUPS } from '../schema.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** A claim that must be a text with something in it, else undefined. */
export function textClaim(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** True for an array that holds `value`, or a string that is `value`; a string is not split here (E045). */
export function isAdmin(claims: Claims, name: string, value: string): boolean {
  const held = claims[name];
  return Array.isArray(held) ? held.includes(value) : held === value;
}

/**
 * Custom groups of the token, each once: the strings of an array, or the parts of a string (E046-E048). The admin role and
 * the reserved names grant nothing as groups (E050, E051).
 */
export function groupsOf(claims: Claims, name: string, adminRoleValue: string): readonly string[] {
  const groups = new Set(groupNames(claims[name]));
  for (const refused of [...RESERVED_GROUPS, adminRoleValue, '']) groups.delete(refused);
  return [...groups];
}

function groupNames(held: unknown): readonly string[] {
  if (typeof held === 'string') return held.split(/[ \t\r\n,]+/);
  return Array.isArray(held) ? held.filter(name => typeof name === 'string') : [];
}
