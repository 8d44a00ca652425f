/** Why a start is refused. Printed as `code: message`; scripts may rely on the codes. */
export const REFUSAL_CODES = [
  'config-missing',
  'config-unreadable',
  'config-syntax',
  'config-unknown-key',
  'config-invalid',
  'secret-in-config',
  'setting-invalid',
  'setting-missing',
  'settings-conflict',
  'secret-missing',
  'secret-too-short',
  'secrets-equal',
  'auth-mode-missing',
  'auth-mode-unknown',
  'host-not-loopback',
  'access-missing',
  'team-domain-not-https',
  'public-url-not-https',
  'dev-variables-set',
  'audiences-equal',
  'reader-needs-ducklake',
  'ops-port-removed',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A reason not to start. Messages name variables, files and places, never the value of a secret. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
}

/** Something odd that does not stop the server; it goes to the log once, at start. */
export interface Warning {
  readonly code:
    | 'part-not-built'
    | 'value-unknown'
    | 'name-unknown'
    | 'series-gap'
    | 'dev-variable-unused'
    | 'rules-not-mounted'
    | 'approval-client-missing';
  readonly message: string;
}
