import type { RefusalCode } from './refusal.ts';

/**
 * A value that was read, or what it must be instead. Neither text repeats the value, which may be a secret in the
 * wrong place. `remark`: the value was not understood and the stated one is used instead.
 */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly remark?: string }
  | { readonly ok: false; readonly must: string; readonly code?: RefusalCode; readonly at?: readonly PropertyKey[] };

/** How one setting is read: `text` from an environment variable, already trimmed; `data` from a file. */
export interface Kind<T> {
  /** The accepted values in words, for the reference. */
  readonly says: string;
  text(text: string): Parsed<T>;
  data(value: unknown): Parsed<T>;
}

export const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const bad = (must: string, code?: RefusalCode): Parsed<never> =>
  code ? { ok: false, must, code } : { ok: false, must };

/** A kind that files write as a string as well. */
export function textKind<T>(says: string, must: string, text: (text: string) => Parsed<T>): Kind<T> {
  return { says, text, data: value => (typeof value === 'string' ? text(value.trim()) : bad(must)) };
}
