import type { Key } from './names.ts';
import type { Refusal, Warning } from './refusal.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a value comes from. */
export type Source =
  | { readonly from: 'variable'; readonly name: string }
  /** `key` is the place in the file, dotted. */
  | { readonly from: 'file'; readonly file: string; readonly key: string }
  | { readonly from: 'default' }
  /** Chosen because of another setting, whose source this is. */
  | { readonly from: 'derived'; readonly because: string };

/** A value that one place gives to one setting. */
export interface Candidate {
  readonly key: Key;
  readonly value: unknown;
  readonly source: Source;
}

/** What one reader found. */
export interface Found {
  readonly candidates: readonly Candidate[];
  readonly refusals: readonly Refusal[];
  readonly warnings: readonly Warning[];
}

/** A source in words: `CAIRN_PORT`, `server.port in cairn.json`, `default`. */
export function sourceText(source: Source): string {
  if (source.from === 'variable') return source.name;
  if (source.from === 'file') return `${source.key} in ${source.file}`;
  return source.from === 'default' ? 'default' : `because of ${source.because}`;
}
