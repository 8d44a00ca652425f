import { AUTH_ROWS } from './rows-auth.ts';
import { RETRIEVAL_ROWS } from './rows-retrieval.ts';
import { RULES_ROWS } from './rows-rules.ts';
import { SERVER_ROWS } from './rows-server.ts';
import { STORAGE_ROWS } from './rows-storage.ts';
import { PREFIXES, type Row, type ValueOf } from './row.ts';

/** The alias table: every setting there is, under its key in cairn.json. */
export const SETTINGS = {
  ...SERVER_ROWS,
  ...AUTH_ROWS,
  ...STORAGE_ROWS,
  ...RETRIEVAL_ROWS,
  ...RULES_ROWS,
} as const satisfies Readonly<Record<string, Row>>;

export type Key = keyof typeof SETTINGS;
export type Value<K extends Key> = ValueOf<(typeof SETTINGS)[K]>;

export const KEYS = Object.keys(SETTINGS) as readonly Key[];
export const rowOf = (key: Key): Row => SETTINGS[key];

/** The variables of numbered issuers: the number follows, from 2 on (N025, N026). */
export const SERIES = { issuer: 'AUTH_OIDC_ISSUER_', jwksUri: 'AUTH_JWKS_URI_' } as const;

/** A setting that another one says in a different form: its value counts as the value of these. */
export const SPLITS = { 'server.listen_http': ['server.host', 'server.port'] } as const;

/** Full names of the variables that set a row, by rank: names of one rank must agree. */
export function variablesOf(row: Row): readonly (readonly string[])[] {
  const prefixed = (row.prefixes ?? PREFIXES).flatMap(prefix => row.env.map(name => `${prefix}${name}`));
  const bare = (row.bare ?? []).map(name => [name]);
  return (row.bareLast ? [prefixed, ...bare] : [...bare, prefixed]).filter(names => names.length > 0);
}

/** The variable to name first when a row is spoken of. */
export function usualVariable(row: Row): string | undefined {
  const [name] = row.env;
  return name === undefined ? row.bare?.[0] : `${(row.prefixes ?? PREFIXES)[0]}${name}`;
}
