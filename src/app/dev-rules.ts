import type { RulesSettings, Settings } from '../kernel/settings/index.ts';

/** What a local start signs sessions and knows its operator by. */
export interface DevSecrets {
  readonly session: string;
  readonly ops: string;
}

/** The scopes of the demo company. */
const SCOPES = ['vertrieb', 'technik'];
/** One person plays everybody here. */
const PER_MINUTE = 600;

/**
 * Whether a local start brings rules of its own: callers are known by dev tokens, and no configuration says anything about rules.
 */
export const bringsRules = ({ rules, auth }: Settings): boolean => rules === null && auth.mode === 'dev-token';

/** The settings of a local start with two scopes, decided about at the address it listens on. `port` is not 0. */
export const withDevRules = (settings: Settings, { session, ops }: DevSecrets, port: number): Settings => ({
  ...settings,
  server: { ...settings.server, port },
  rules: {
    instance: 'demo',
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    publicUrl: settings.server.publicUrl ?? `http://${bracketed(settings.server.host)}:${port}`,
    scopes: SCOPES,
    search: {
      languages: ['de', 'en'],
      minCoverage: 0,
      synonyms: [],
      lexical: null,
      semantic: null,
      reranker: null,
      providers: {},
    },
    limits: {
      requestsPerMinute: PER_MINUTE,
      decisionsPerMinute: PER_MINUTE,
      loginAttemptsPerMinute: PER_MINUTE,
      exportsPerHour: PER_MINUTE,
      trustedProxy: false,
    },
    recheckAfterDays: 180,
    backup: { kind: 'copy', directory: null, exportDirectory: null },
    sessionSecret: session,
    opsToken: ops,
  } satisfies RulesSettings,
});

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
