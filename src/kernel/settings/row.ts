import type { Kind } from './kind.ts';
import type { Part } from './parts.ts';

/** Every prefixed name is read with each of these (rules-gaps 12). The first one is how the product spells it. */
export const PREFIXES = ['CAIRN_', 'GROUNDNOTE_', 'ESCUREL_'] as const;

/** One setting. Its key in the table is also its place in cairn.json. */
export interface Row<T = unknown, D extends T | null = T | null> {
  /** Where the setting is described: facts or sections of the contracts. */
  readonly facts: string;
  /** Names of environment variables after the prefix, the usual one first. */
  readonly env: readonly string[];
  /** The prefixes that count, when not all do. */
  readonly prefixes?: readonly (typeof PREFIXES)[number][];
  /** Names of environment variables without any prefix, the strongest first. */
  readonly bare?: readonly string[];
  /** A bare name normally wins over a prefixed one (N002); here it is used only without one. */
  readonly bareLast?: true;
  /** Place in the TOML file of ESCUREL_CONFIG (E739-E742). */
  readonly toml?: string;
  /** Other places in cairn.json. */
  readonly also?: readonly string[];
  /** Never read from a file. Secrets are all of this sort (contract of the rules, invariant 9). */
  readonly envOnly?: true;
  readonly secret?: true;
  /** A secret of this deployment itself, which must differ from every other such secret. */
  readonly distinct?: true;
  /** Read even when it is empty; elsewhere an empty variable counts as unset. */
  readonly emptyCounts?: true;
  readonly kind: Kind<T>;
  /** null: none. */
  readonly default: D;
  /** What happens without a value, where the default does not say it. */
  readonly unset?: string;
  readonly part: Part;
  readonly meaning: string;
}

/** Keeps the type of the value and of the default. */
export const row = <T, const D extends T | null>(declared: Row<T, D>): Row<T, D> => declared;

/** What a setting of that row holds. */
export type ValueOf<R> = R extends Row<infer T, infer D> ? (null extends D ? T | null : T) : never;
