import type { Address } from './kinds-address.ts';
import type { LogLevel } from './log-level.ts';
import type { Values } from './merge.ts';

/** What the server is started with: the settings of the parts that exist, checked, by part. */
export interface Settings {
  readonly server: {
    /** Absolute. */
    readonly dataDir: string;
    readonly host: string;
    readonly port: number;
    readonly tenant: string;
    /** What /version answers (E696). */
    readonly version: string;
    /** The deployment's name (N003); log lines use `observability.logEnv`. */
    readonly env: string;
    readonly rebuildIndexOnBoot: 'if-missing' | 'always';
    /** Absolute; markdown that is planted at start (E156). */
    readonly seedDir: string | null;
    /** Without trailing slash; null: the address it listens on. */
    readonly publicUrl: string | null;
    /** Beside the server's own. */
    readonly allowedOrigins: readonly string[];
    /** `host` or `host:port`, lower case, beside the server's own. */
    readonly allowedHosts: readonly string[];
  };
  readonly auth: AuthSettings;
  readonly quotas: {
    readonly queries_per_minute: number;
    readonly writes_per_minute: number;
    readonly embeds_per_minute: number;
    readonly concurrent_sessions: number;
    readonly max_blob_bytes: number;
  };
  readonly acl: {
    readonly write: 'off' | 'log' | 'enforce';
    readonly autonomyLint: 'off' | 'log' | 'enforce';
  };
  readonly observability: {
    /** Where /metrics is: on the main port, nowhere, or only on a listener of its own. */
    readonly metrics: 'main' | 'off' | Address;
    readonly logLevel: LogLevel;
    readonly logEnv: string;
  };
}

/** The mode with what it needs (rules-gaps 11). */
export type AuthSettings =
  | { readonly mode: 'open' }
  | { readonly mode: 'dev-token'; readonly dev: DevSettings }
  | { readonly mode: 'oidc'; readonly oidc: OidcSettings };

export interface DevSettings {
  readonly identity: string;
  readonly mcpToken: string;
  readonly adminToken: string | null;
}

export interface OidcSettings {
  /** At least one. `jwksUri` null: derived from the issuer (E054). */
  readonly issuers: readonly { readonly issuer: string; readonly jwksUri: string | null }[];
  readonly audience: string;
  readonly tenantClaim: string;
  readonly adminRoleClaim: string;
  readonly adminRoleValue: string;
  readonly groupsClaim: string;
  readonly jwksRefreshSecs: number;
}

/** Picks the settings out of values that passed every check. `cwd` is where a relative data folder starts. */
export function settingsOf(values: Values, cwd: string): Settings {
  const seedDir = values.get('server.seed_dir');
  return {
    server: {
      dataDir: inFolder(cwd, values.get('server.data_dir')),
      host: values.get('server.host'),
      port: values.get('server.port'),
      tenant: values.get('server.tenant'),
      version: values.get('server.version'),
      env: values.get('server.env'),
      rebuildIndexOnBoot: values.get('server.rebuild_index_on_boot'),
      seedDir: seedDir === null ? null : inFolder(cwd, seedDir),
      publicUrl: values.get('public_url'),
      allowedOrigins: values.get('allowed_origins'),
      allowedHosts: values.get('allowed_hosts'),
    },
    auth: authOf(values),
    quotas: {
      queries_per_minute: values.get('quotas.queries_per_minute'),
      writes_per_minute: values.get('quotas.writes_per_minute'),
      embeds_per_minute: values.get('quotas.embeds_per_minute'),
      concurrent_sessions: values.get('quotas.concurrent_sessions'),
      max_blob_bytes: values.get('quotas.max_blob_bytes'),
    },
    acl: { write: values.get('acl.write'), autonomyLint: values.get('acl.autonomy_lint') },
    observability: {
      metrics: values.get('observability.metrics_listen') ?? 'main',
      logLevel: values.get('observability.log_level'),
      logEnv: values.get('observability.log_env'),
    },
  };
}

function authOf(values: Values): AuthSettings {
  const mode = values.get('auth.mode');
  if (mode === 'open') return { mode };
  if (mode === 'dev-token') {
    const [identity, mcpToken] = [values.get('dev.identity')!, values.get('dev.mcp_token')!];
    return { mode, dev: { identity, mcpToken, adminToken: values.get('dev.admin_token') } };
  }
  const first = { issuer: values.get('auth.oidc.issuer')!, jwksUri: values.get('auth.oidc.jwks_uri') };
  const more = values.get('auth.oidc.more_issuers').map(one => ({ issuer: one.issuer, jwksUri: one.jwks_uri ?? null }));
  return {
    mode: 'oidc',
    oidc: {
      issuers: [first, ...more],
      audience: values.get('auth.oidc.audience'),
      tenantClaim: values.get('auth.oidc.tenant_claim'),
      adminRoleClaim: values.get('auth.oidc.admin_role_claim'),
      adminRoleValue: values.get('auth.oidc.admin_role_value'),
      groupsClaim: values.get('auth.oidc.groups_claim'),
      jwksRefreshSecs: values.get('auth.oidc.jwks_refresh_secs'),
    },
  };
}

/** `path` as seen from `folder`. */
export function inFolder(folder: string, path: string): string {
  if (/^(\/|[A-Za-z]:[\\/])/.test(path)) return path;
  return `${folder.replace(/[\\/]+$/, '')}/${path.replace(/^(\.\/+)+/, '')}`;
}
