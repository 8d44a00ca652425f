import { inFolder } from './in-folder.ts';
import type { Address } from './kinds-address.ts';
import type { LogLevel } from './log-level.ts';
import type { Values } from './merge.ts';
import { authOf, type AuthSettings } from './settings-auth.ts';
import { embeddingOf, type EmbeddingSettings } from './settings-embedding.ts';
import { retrievalOf, type RetrievalSettings } from './settings-retrieval.ts';
import { rulesOf, type RulesSettings } from './settings-rules.ts';

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
    /** Absolute; static files that are served at `/` (N008). */
    readonly siteDir: string | null;
    /** Without trailing slash; null: the address it listens on. */
    readonly publicUrl: string | null;
    /** Beside the server's own. */
    readonly allowedOrigins: readonly string[];
    /** `host` or `host:port`, lower case, beside the server's own. */
    readonly allowedHosts: readonly string[];
    readonly framePages: boolean;
  };
  readonly auth: AuthSettings;
  /** null: a server of pages alone. */
  readonly rules: RulesSettings | null;
  readonly embedding: EmbeddingSettings;
  readonly retrieval: RetrievalSettings;
  readonly quotas: {
    readonly queries_per_minute: number;
    readonly writes_per_minute: number;
    readonly embeds_per_minute: number;
    readonly concurrent_sessions: number;
    readonly max_blob_bytes: number;
  };
  /** Days that superseded versions are kept; null: for good. */
  readonly history: { readonly keepDays: number | null };
  readonly acl: {
    readonly write: 'off' | 'log' | 'enforce';
    readonly autonomyLint: 'off' | 'log' | 'enforce';
  };
  readonly observability: {
    /** Where /metrics is: on the main port, nowhere, or only on a listener of its own. */
    readonly metrics: 'main' | 'off' | Address;
    readonly logLevel: LogLevel;
    readonly logEnv: string;
    /** Where traces are sent (N075). */
    readonly otlpEndpoint: string | null;
  };
  readonly outgoing: Outgoing;
}

/** How servers elsewhere are asked (N077). */
export interface Outgoing {
  /** URLs of the proxies for http and https requests; null: directly. */
  readonly http: string | null;
  readonly https: string | null;
  /** Hosts that are asked directly, as NO_PROXY lists them; `` for none. */
  readonly direct: string;
}

/** Picks the settings out of values that passed every check. `cwd` is where a relative data folder starts. */
export function settingsOf(values: Values, cwd: string): Settings {
  const folderOrNull = (path: string | null): string | null => (path === null ? null : inFolder(cwd, path));
  return {
    server: {
      dataDir: inFolder(cwd, values.get('server.data_dir')),
      host: values.get('server.host'),
      port: values.get('server.port'),
      tenant: values.get('server.tenant'),
      version: values.get('server.version'),
      env: values.get('server.env'),
      rebuildIndexOnBoot: values.get('server.rebuild_index_on_boot'),
      seedDir: folderOrNull(values.get('server.seed_dir')),
      siteDir: folderOrNull(values.get('server.demo_dir')),
      publicUrl: values.get('public_url'),
      allowedOrigins: values.get('allowed_origins'),
      allowedHosts: values.get('allowed_hosts'),
      framePages: values.get('frame_pages'),
    },
    auth: authOf(values),
    rules: rulesOf(values, cwd),
    embedding: embeddingOf(values),
    retrieval: retrievalOf(values),
    quotas: {
      queries_per_minute: values.get('quotas.queries_per_minute'),
      writes_per_minute: values.get('quotas.writes_per_minute'),
      embeds_per_minute: values.get('quotas.embeds_per_minute'),
      concurrent_sessions: values.get('quotas.concurrent_sessions'),
      max_blob_bytes: values.get('quotas.max_blob_bytes'),
    },
    history: { keepDays: values.get('history.keep_days') },
    acl: { write: values.get('acl.write'), autonomyLint: values.get('acl.autonomy_lint') },
    observability: {
      metrics: values.get('observability.metrics_listen') ?? 'main',
      logLevel: values.get('observability.log_level'),
      logEnv: values.get('observability.log_env'),
      otlpEndpoint: values.get('observability.otlp_endpoint'),
    },
    outgoing: outgoingOf(values),
  };
}

/** Alone as well: whoever fetches a model need not have settled who may call the server. */
export function outgoingOf(values: Values): Outgoing {
  const all = values.get('proxy.all');
  return {
    http: values.get('proxy.http') ?? all,
    https: values.get('proxy.https') ?? all,
    direct: values.get('proxy.none') ?? '',
  };
}
