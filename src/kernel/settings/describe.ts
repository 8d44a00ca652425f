import { sourceText } from './candidate.ts';
import type { Address } from './kinds-address.ts';
import type { Values } from './merge.ts';
import { KEYS, rowOf, SPLITS, type Key } from './names.ts';

/** A setting as people see it; `value` is null when it is not set, and hidden when it is a secret. */
export interface Described {
  readonly key: Key;
  readonly value: string | null;
  /** The variable, file and place, `default`, or why it was derived. */
  readonly source: string;
}

const HIDDEN = '********';

/** Every setting with its value and source, in the order of the table, secrets hidden. */
export function describeValues(values: Values): readonly Described[] {
  return KEYS.filter(key => !Object.hasOwn(SPLITS, key)).map(key => {
    const value = values.get(key);
    const hidden = rowOf(key).secret && value !== null;
    return { key, value: hidden ? HIDDEN : valueText(value), source: sourceText(values.source(key)) };
  });
}

/** A value as it would be written in a variable; nested ones as JSON; null for none. */
export function valueText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  return isAddress(value) ? addressText(value) : JSON.stringify(value);
}

const isAddress = (value: object): value is Address => 'host' in value && 'port' in value;

/** `host:port`, an IPv6 host in brackets. */
const addressText = ({ host, port }: Address): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
