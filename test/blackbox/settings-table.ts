/** One variable of facts N001-N080 and rules-gaps 12, spelt without its prefix. */
export interface Variable {
  readonly fact: string;
  readonly name: string;
  /** A value that is not the default. */
  readonly value: string;
  /** How that value is shown, when not as given. */
  readonly shown?: string;
  /** As the facts state it; null: unset. */
  readonly default: string | null;
  /** A value that must refuse the start. */
  readonly bad?: string;
  readonly secret?: true;
  /** Part of the ground floor: it has an effect and gives no warning. */
  readonly built?: true;
}

const SECRET = 'a-secret-of-at-least-32-characters-';
let secrets = 0;
const secret = (fact: string, name: string): Variable => ({
  fact,
  name,
  value: SECRET + String((secrets += 1)),
  default: null,
  secret: true,
});

export const VARIABLES: readonly Variable[] = [
  { fact: 'N003', name: 'ENV', value: 'lab', default: 'dev', built: true },
  { fact: 'N004', name: 'SERVER_DATA_DIR', value: './kept', default: './data', built: true },
  { fact: 'N006', name: 'TENANT', value: 'acme', default: 'default', bad: 'Not A Tenant', built: true },
  { fact: 'N007', name: 'SEED_DIR', value: './seed', default: null, built: true },
  { fact: 'N008', name: 'SERVE_DEMO_DIR', value: './demo', default: null, built: true },
  {
    fact: 'N009',
    name: 'REBUILD_INDEX_ON_BOOT',
    value: 'always',
    default: 'if-missing',
    bad: 'sometimes',
    built: true,
  },
  {
    fact: 'N010',
    name: 'WEBHOOK_URL',
    value: 'https://hooks.example.org/x',
    default: null,
    bad: 'no url',
    built: true,
  },
  secret('N011', 'WEBHOOK_SECRET'),
  secret('N012', 'PACK_SECRET'),
  { fact: 'N013', name: 'EMIT_EDIT_EVENTS', value: '1', shown: 'true', default: 'false', bad: 'perhaps' },
  { fact: 'N014', name: 'WRITE_ACL', value: 'enforce', default: 'off', built: true },
  { fact: 'N015', name: 'EVENT_ACL', value: 'enforce', default: 'off', bad: 'perhaps' },
  { fact: 'N016', name: 'AUTONOMY_LINT', value: 'log', default: 'off', bad: 'perhaps', built: true },
  {
    fact: 'N017',
    name: 'AUTH_OIDC_ISSUER',
    value: 'https://id.example.org',
    default: null,
    bad: 'no url',
    built: true,
  },
  { fact: 'N018', name: 'AUTH_OIDC_AUDIENCE', value: 'knowledge', default: 'escurel', built: true },
  { fact: 'N019', name: 'AUTH_TENANT_CLAIM', value: 'org', default: 'tenant', built: true },
  { fact: 'N020', name: 'AUTH_ADMIN_ROLE_CLAIM', value: 'grants', default: 'roles', built: true },
  { fact: 'N021', name: 'AUTH_ADMIN_ROLE_VALUE', value: 'boss', default: 'escurel:admin', built: true },
  { fact: 'N022', name: 'AUTH_GROUPS_CLAIM', value: 'teams', default: 'roles', built: true },
  { fact: 'N023', name: 'AUTH_JWKS_REFRESH_SECS', value: '60', default: '300', bad: 'often', built: true },
  {
    fact: 'N024',
    name: 'AUTH_JWKS_URI',
    value: 'https://id.example.org/keys',
    default: null,
    bad: 'no url',
    built: true,
  },
  { fact: 'N027', name: 'STORAGE_BACKEND', value: 's3', default: 'fs', bad: 'floppy' },
  { fact: 'N028', name: 'STORAGE_S3_BUCKET', value: 'pages', default: null },
  { fact: 'N028', name: 'STORAGE_S3_ENDPOINT', value: 'https://s3.example.org', default: null, bad: 'no url' },
  secret('N028', 'STORAGE_S3_ACCESS_KEY_ID'),
  secret('N028', 'STORAGE_S3_SECRET_ACCESS_KEY'),
  { fact: 'N029', name: 'STORAGE_S3_PREFIX', value: 'a/b', default: null },
  { fact: 'N030', name: 'STORAGE_S3_REGION', value: 'eu-central-1', default: 'us-east-1' },
  { fact: 'N031', name: 'STORAGE_S3_PATH_STYLE', value: 'false', default: 'true', bad: 'perhaps' },
  { fact: 'N032', name: 'STORAGE_GCS_BUCKET', value: 'pages', default: null },
  { fact: 'N033', name: 'STORAGE_GCS_PREFIX', value: 'a', default: null },
  { fact: 'N034', name: 'STORAGE_GCS_CREDENTIALS_PATH', value: '/keys/gcs.json', default: null },
  { fact: 'N035', name: 'STORAGE_GCS_ENDPOINT', value: 'http://127.0.0.1:4443', default: null, bad: 'no url' },
  { fact: 'N036', name: 'STORAGE_DUCKVFS_ROOT', value: 'gdrive://x', default: null },
  { fact: 'N037', name: 'STORAGE_DUCKVFS_EXTENSION', value: '/ext/x', default: null },
  { fact: 'N038', name: 'STORAGE_DUCKVFS_DRIVE_ID', value: 'drive', default: null },
  {
    fact: 'N039',
    name: 'STORAGE_DUCKVFS_DRIVE_SCOPE',
    value: 'https://www.googleapis.com/auth/drive.readonly',
    default: 'https://www.googleapis.com/auth/drive',
  },
  { fact: 'N040', name: 'ALLOW_UNSIGNED_EXTENSIONS', value: 'on', shown: 'true', default: 'false', bad: 'perhaps' },
  // By default `hash`, not gemini (deviations).
  { fact: 'N041', name: 'EMBEDDING_PROVIDER', value: 'gemini', default: 'hash', bad: 'magic', built: true },
  { fact: 'N042', name: 'EMBEDDING_MODEL', value: 'some-model', default: null, built: true },
  { fact: 'N043', name: 'EMBEDDING_DEVICE', value: 'gpu', default: 'cpu', built: true },
  { fact: 'N044', name: 'EMBEDDING_DIM', value: '384', default: '768', bad: 'wide', built: true },
  { fact: 'N045', name: 'EMBEDDER_REQUIRED', value: 'true', default: 'false', bad: 'perhaps', built: true },
  { ...secret('N046', 'GEMINI_API_KEY'), built: true },
  { fact: 'N047', name: 'RETRIEVAL_RERANK', value: 'bge', default: 'off', bad: 'magic', built: true },
  { fact: 'N048', name: 'RETRIEVAL_RERANK_CANDIDATES', value: '50', default: '100', bad: 'many', built: true },
  { fact: 'N049', name: 'RETRIEVAL_RERANK_MODEL', value: 'other', default: 'BAAI/bge-reranker-v2-m3', built: true },
  { fact: 'N050', name: 'RETRIEVAL_RERANK_DEVICE', value: 'gpu', default: 'cpu', built: true },
  { fact: 'N051', name: 'RETRIEVAL_TWO_PASS', value: 'true', default: 'false', bad: 'perhaps', built: true },
  { fact: 'N052', name: 'RETRIEVAL_COARSE_DIM', value: '64', default: '128', bad: 'x', built: true },
  { fact: 'N053', name: 'RETRIEVAL_COARSE_CANDIDATES', value: '100', default: '500', bad: 'x', built: true },
  { fact: 'N054', name: 'SEARCH_MIN_SIMILARITY', value: '0.5', default: null, bad: 'close', built: true },
  { fact: 'N055', name: 'INGEST_CONTEXTUALIZE', value: 'llm', default: 'structural' },
  { fact: 'N056', name: 'CONTEXTUALIZE_LLM_ENDPOINT', value: 'https://llm.example.org', default: null, bad: 'no url' },
  secret('N056', 'CONTEXTUALIZE_LLM_API_KEY'),
  { fact: 'N057', name: 'INDEX_BACKEND', value: 'ducklake', default: 'single-file', bad: 'floppy' },
  { fact: 'N058', name: 'ROLE', value: 'reader', default: 'writer', bad: 'king' },
  { fact: 'N059', name: 'DUCKLAKE_CATALOG_DSN', value: 'postgres://u@db/lake', default: null, secret: true },
  { fact: 'N060', name: 'DUCKLAKE_DATA_PATH', value: 's3://lake/data', default: null },
  secret('N061', 'DUCKLAKE_GCS_KEY_ID'),
  secret('N061', 'DUCKLAKE_GCS_SECRET'),
  { fact: 'N062', name: 'DUCKLAKE_S3_ENDPOINT', value: 's3.example.org', default: null },
  secret('N062', 'DUCKLAKE_S3_ACCESS_KEY_ID'),
  secret('N062', 'DUCKLAKE_S3_SECRET_ACCESS_KEY'),
  { fact: 'N063', name: 'DUCKLAKE_S3_REGION', value: 'eu-central-1', default: 'us-east-1' },
  { fact: 'N064', name: 'DUCKLAKE_S3_USE_SSL', value: 'false', default: 'true', bad: 'perhaps' },
  { fact: 'N065', name: 'DUCKLAKE_GDRIVE_DRIVE_ID', value: 'drive', default: null },
  {
    fact: 'N066',
    name: 'DUCKLAKE_GDRIVE_SCOPE',
    value: 'https://www.googleapis.com/auth/drive.readonly',
    default: 'https://www.googleapis.com/auth/drive',
  },
  { fact: 'N067', name: 'DUCKLAKE_GDRIVE_EXTENSION', value: '/ext/y', default: null },
  { fact: 'N068', name: 'CHAT_BACKEND', value: 'ducklake', default: 'postgres', bad: 'floppy' },
  { fact: 'N068', name: 'EVENTS_BACKEND', value: 'ducklake', default: 'postgres', bad: 'floppy' },
  { fact: 'N069', name: 'CRDT_PG_DSN', value: 'postgres://u@db/crdt', default: null, secret: true },
  { fact: 'N070', name: 'SNAPSHOT_REFRESH_SECS', value: '10', default: '30', bad: 'x' },
  { fact: 'N071', name: 'SNAPSHOT_PUBLISH_SECS', value: '0', default: null, bad: 'x' },
  { fact: 'N072', name: 'SNAPSHOT_KEEP', value: '0', default: '5', bad: 'x' },
  { fact: 'N073', name: 'WRITER_LEASE', value: 'no', shown: 'false', default: 'true', bad: 'perhaps' },
  {
    fact: 'N074',
    name: 'OBSERVABILITY_METRICS_LISTEN',
    value: '127.0.0.1:0',
    default: null,
    bad: 'nowhere',
    built: true,
  },
  {
    fact: 'N075',
    name: 'OBSERVABILITY_OTLP_ENDPOINT',
    value: 'http://127.0.0.1:4318',
    default: null,
    bad: 'no url',
    built: true,
  },
];

/** Each variable under a prefix, valued by `of`; those without a value are left out. */
export function environment(prefix: string, of: (variable: Variable) => string | undefined): Record<string, string> {
  return Object.fromEntries(
    VARIABLES.flatMap(variable => {
      const value = of(variable);
      return value === undefined ? [] : [[`${prefix}_${variable.name}`, value]];
    }),
  );
}
