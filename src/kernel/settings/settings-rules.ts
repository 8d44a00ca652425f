import type { Values } from './merge.ts';
import type { Value } from './names.ts';
import { inFolder } from './in-folder.ts';

/** What the rules surface, the approval pages and the operator socket run with (rules contract 3). */
export interface RulesSettings {
  readonly instance: string;
  /** IANA time zone. */
  readonly zone: string;
  /** Without trailing slash. */
  readonly publicUrl: string;
  /** The scopes that may exist, in the order of the file. */
  readonly scopes: readonly string[];
  readonly search: {
    readonly languages: readonly ('de' | 'en')[];
    readonly minCoverage: number;
    /** Groups of words that mean the same. */
    readonly synonyms: readonly (readonly string[])[];
    /** As it stands in the file; null where it is missing. */
    readonly lexical: Value<'search.lexical'>;
    readonly semantic: Value<'search.semantic'>;
    readonly reranker: Value<'search.reranker'>;
    /** By scope: what may hear of its texts. */
    readonly providers: Readonly<Record<string, { readonly allowed: readonly string[]; readonly reranker: boolean }>>;
  };
  readonly limits: {
    readonly requestsPerMinute: number;
    readonly decisionsPerMinute: number;
    readonly loginAttemptsPerMinute: number;
    readonly exportsPerHour: number;
    readonly trustedProxy: boolean;
  };
  readonly recheckAfterDays: number;
  /** Where backups are meant to go; folders are absolute. */
  readonly backup: {
    readonly kind: 'copy' | 'litestream';
    readonly directory: string | null;
    readonly exportDirectory: string | null;
  };
  readonly sessionSecret: string;
  readonly opsToken: string;
}

/** Whether rules, approval pages and operator socket are mounted: scopes are named, and callers are known (rules-gaps 11, 12). */
export const mountsRules = (values: Values): boolean =>
  values.get('scopes') !== null && values.get('auth.mode') !== 'open';

/** Picks the settings of the rules out of values that passed every check; null where no rules are mounted. */
export function rulesOf(values: Values, cwd: string): RulesSettings | null {
  if (!mountsRules(values)) return null;
  const backup = values.get('backup')!;
  return {
    instance: values.get('instance')!,
    zone: values.get('zone')!,
    publicUrl: values.get('public_url')!,
    scopes: values.get('scopes')!.map(scope => scope.name),
    search: {
      languages: values.get('search.languages'),
      minCoverage: values.get('search.min_coverage'),
      synonyms: values.get('search.synonyms') ?? [],
      lexical: values.get('search.lexical'),
      semantic: values.get('search.semantic'),
      reranker: values.get('search.reranker'),
      providers: Object.fromEntries(
        values
          .get('scopes')!
          .map(scope => [scope.name, { allowed: scope.providers_allowed, reranker: scope.reranker }]),
      ),
    },
    limits: {
      requestsPerMinute: values.get('limits.requests_per_minute'),
      decisionsPerMinute: values.get('limits.decisions_per_minute'),
      loginAttemptsPerMinute: values.get('limits.login_attempts_per_minute'),
      exportsPerHour: values.get('limits.exports_per_hour'),
      trustedProxy: values.get('limits.trusted_proxy'),
    },
    recheckAfterDays: values.get('recheck_after_days'),
    backup: {
      kind: backup.kind,
      directory: backup.kind === 'copy' ? inFolder(cwd, backup.directory) : null,
      exportDirectory: backup.export_directory ?? null,
    },
    sessionSecret: values.get('auth.session_secret')!,
    opsToken: values.get('operator.token')!,
  };
}
