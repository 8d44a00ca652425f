import type { Json } from '../kernel/json.ts';

/**
 * The one text of a JSON value (RFC 8785): no white space, keys in the order of their UTF-16 units, numbers and strings as
 * ECMAScript writes them. Throws for a string with half a surrogate pair and for a number that JSON does not have.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('no number of JSON');
  if (typeof value === 'string' && /\p{Cs}/u.test(value)) throw new TypeError('no text of Unicode');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort(byUnits)
    .map(key => `${canonicalJson(key)}:${canonicalJson(value[key]!)}`);
  return `{${members.join(',')}}`;
}

const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
