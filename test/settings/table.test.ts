import { describe, expect, test } from 'vitest';
import { KEYS, rowOf, SERIES, variablesOf } from '../../src/kernel/settings/index.ts';
import { FILE_KEYS, OPEN, read, readJson, refusalsOf, sample, sampleData } from './reading.ts';

/** What the facts name, in their spelling. `…` stands for any number from 2 on. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  N001: ['ESCUREL_CONFIG'],
  N002: ['VERSION', 'ESCUREL_VERSION'],
  N003: ['ENV', 'ESCUREL_ENV'],
  N004: ['ESCUREL_SERVER_DATA_DIR'],
  N005: ['ESCUREL_SERVER_LISTEN_HTTP'],
  N006: ['ESCUREL_TENANT'],
  N007: ['ESCUREL_SEED_DIR'],
  N008: ['ESCUREL_SERVE_DEMO_DIR'],
  N009: ['ESCUREL_REBUILD_INDEX_ON_BOOT'],
  N010: ['ESCUREL_WEBHOOK_URL'],
  N011: ['ESCUREL_WEBHOOK_SECRET'],
  N012: ['ESCUREL_PACK_SECRET'],
  N013: ['ESCUREL_EMIT_EDIT_EVENTS'],
  N014: ['ESCUREL_WRITE_ACL'],
  N015: ['ESCUREL_EVENT_ACL'],
  N016: ['ESCUREL_AUTONOMY_LINT'],
  N017: ['ESCUREL_AUTH_OIDC_ISSUER'],
  N018: ['ESCUREL_AUTH_OIDC_AUDIENCE'],
  N019: ['ESCUREL_AUTH_TENANT_CLAIM'],
  N020: ['ESCUREL_AUTH_ADMIN_ROLE_CLAIM'],
  N021: ['ESCUREL_AUTH_ADMIN_ROLE_VALUE'],
  N022: ['ESCUREL_AUTH_GROUPS_CLAIM'],
  N023: ['ESCUREL_AUTH_JWKS_REFRESH_SECS'],
  N024: ['ESCUREL_AUTH_JWKS_URI'],
  N025: ['ESCUREL_AUTH_OIDC_ISSUER_…'],
  N026: ['ESCUREL_AUTH_JWKS_URI_…'],
  N027: ['ESCUREL_STORAGE_BACKEND'],
  N028: [
    'ESCUREL_STORAGE_S3_BUCKET',
    'ESCUREL_STORAGE_S3_ENDPOINT',
    'ESCUREL_STORAGE_S3_ACCESS_KEY_ID',
    'ESCUREL_STORAGE_S3_SECRET_ACCESS_KEY',
  ],
  N029: ['ESCUREL_STORAGE_S3_PREFIX'],
  N030: ['ESCUREL_STORAGE_S3_REGION'],
  N031: ['ESCUREL_STORAGE_S3_PATH_STYLE'],
  N032: ['ESCUREL_STORAGE_GCS_BUCKET'],
  N033: ['ESCUREL_STORAGE_GCS_PREFIX'],
  N034: ['ESCUREL_STORAGE_GCS_CREDENTIALS_PATH'],
  N035: ['ESCUREL_STORAGE_GCS_ENDPOINT'],
  N036: ['ESCUREL_STORAGE_DUCKVFS_ROOT'],
  N037: ['ESCUREL_STORAGE_DUCKVFS_EXTENSION'],
  N038: ['ESCUREL_STORAGE_DUCKVFS_DRIVE_ID'],
  N039: ['ESCUREL_STORAGE_DUCKVFS_DRIVE_SCOPE'],
  N040: ['ESCUREL_ALLOW_UNSIGNED_EXTENSIONS'],
  N041: ['ESCUREL_EMBEDDING_PROVIDER'],
  N042: ['ESCUREL_EMBEDDING_MODEL'],
  N043: ['ESCUREL_EMBEDDING_DEVICE'],
  N044: ['ESCUREL_EMBEDDING_DIM'],
  N045: ['ESCUREL_EMBEDDER_REQUIRED'],
  N046: ['ESCUREL_GEMINI_API_KEY'],
  N047: ['ESCUREL_RETRIEVAL_RERANK'],
  N048: ['ESCUREL_RETRIEVAL_RERANK_CANDIDATES'],
  N049: ['ESCUREL_RETRIEVAL_RERANK_MODEL'],
  N050: ['ESCUREL_RETRIEVAL_RERANK_DEVICE'],
  N051: ['ESCUREL_RETRIEVAL_TWO_PASS'],
  N052: ['ESCUREL_RETRIEVAL_COARSE_DIM'],
  N053: ['ESCUREL_RETRIEVAL_COARSE_CANDIDATES'],
  N054: ['ESCUREL_SEARCH_MIN_SIMILARITY'],
  N055: ['ESCUREL_INGEST_CONTEXTUALIZE'],
  N056: ['ESCUREL_CONTEXTUALIZE_LLM_ENDPOINT', 'ESCUREL_CONTEXTUALIZE_LLM_API_KEY'],
  N057: ['ESCUREL_INDEX_BACKEND'],
  N058: ['ESCUREL_ROLE'],
  N059: ['ESCUREL_DUCKLAKE_CATALOG_DSN'],
  N060: ['ESCUREL_DUCKLAKE_DATA_PATH'],
  N061: ['ESCUREL_DUCKLAKE_GCS_KEY_ID', 'ESCUREL_DUCKLAKE_GCS_SECRET'],
  N062: ['ESCUREL_DUCKLAKE_S3_ENDPOINT', 'ESCUREL_DUCKLAKE_S3_ACCESS_KEY_ID', 'ESCUREL_DUCKLAKE_S3_SECRET_ACCESS_KEY'],
  N063: ['ESCUREL_DUCKLAKE_S3_REGION'],
  N064: ['ESCUREL_DUCKLAKE_S3_USE_SSL'],
  N065: ['ESCUREL_DUCKLAKE_GDRIVE_DRIVE_ID'],
  N066: ['ESCUREL_DUCKLAKE_GDRIVE_SCOPE'],
  N067: ['ESCUREL_DUCKLAKE_GDRIVE_EXTENSION'],
  N068: ['ESCUREL_CHAT_BACKEND', 'ESCUREL_EVENTS_BACKEND'],
  N069: ['ESCUREL_CRDT_PG_DSN'],
  N070: ['ESCUREL_SNAPSHOT_REFRESH_SECS'],
  N071: ['ESCUREL_SNAPSHOT_PUBLISH_SECS'],
  N072: ['ESCUREL_SNAPSHOT_KEEP'],
  N073: ['ESCUREL_WRITER_LEASE'],
  N074: ['ESCUREL_OBSERVABILITY_METRICS_LISTEN'],
  N075: ['ESCUREL_OBSERVABILITY_OTLP_ENDPOINT', 'ESCUREL_OTLP_ENDPOINT'],
  N076: ['RUST_LOG'],
  N077: ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy'],
  N078: ['ESCUREL_SERVER'],
  N079: ['ESCUREL_TOKEN'],
  N080: ['ESCUREL_GEMINI_API_KEY', 'GEMINI_API_KEY'],
};

/** Names of section 12, of the rules contract, and our own. */
const OTHERS = [
  'CAIRN_AUTH_MODE',
  'CAIRN_CONFIG',
  'CAIRN_DATA_DIR',
  'CAIRN_HOST',
  'CAIRN_PORT',
  'CAIRN_LISTEN_HTTP',
  'CAIRN_SESSION_SECRET',
  'CAIRN_OPS_TOKEN',
  'CAIRN_DEV_MCP_TOKEN',
  'CAIRN_DEV_API_TOKEN',
  'CAIRN_DEV_APPROVAL_TOKEN',
  'CAIRN_DEV_ADMIN_TOKEN',
  'CAIRN_DEV_IDENTITY',
  'CAIRN_DEV_ALLOW_NON_LOOPBACK',
  'CAIRN_METRICS_LISTEN',
  'CAIRN_AUTH_APPROVAL_CLIENT_ID',
  'CAIRN_AUTH_APPROVAL_CLIENT_SECRET',
  'TYPESAFE_API_KEY',
  'GROUNDNOTE_URL',
  'GROUNDNOTE_API_TOKEN',
  'GROUNDNOTE_ACCESS_JWT',
  'GROUNDNOTE_API_ACCESS_JWT',
  'CAIRN_PUBLIC_URL',
  'CAIRN_ALLOWED_ORIGINS',
  'CAIRN_ALLOWED_HOSTS',
  'CAIRN_FRAME_PAGES',
  'CAIRN_HISTORY_KEEP_DAYS',
  'CAIRN_EMBEDDING_URL',
  'CAIRN_EMBEDDING_API_KEY',
  'CAIRN_EMBEDDING_QUERY_PREFIX',
  'CAIRN_EMBEDDING_PASSAGE_PREFIX',
  'CAIRN_EMBEDDING_BATCH',
  'CAIRN_EMBEDDING_TIMEOUT_MS',
  'CAIRN_EMBEDDING_TEXTS_PER_DAY',
  'CAIRN_EMBEDDING_HUB_URL',
  'CAIRN_RETRIEVAL_FUSION',
  'CAIRN_RETRIEVAL_RERANK_URL',
  'CAIRN_RETRIEVAL_RERANK_API_KEY',
  'CAIRN_RETRIEVAL_RERANK_TIMEOUT_MS',
  'CAIRN_RETRIEVAL_RERANK_MONTHLY_CAP_USD',
  'CAIRN_RETRIEVAL_RERANK_USD_PER_THOUSAND',
  'CAIRN_OBSERVABILITY_LOG_LEVEL',
  'CAIRN_LOG_LEVEL',
];

const bareOf = (name: string): string => name.replace(/^(CAIRN|GROUNDNOTE|ESCUREL)_/, '*_');
const inTable = KEYS.flatMap(key => variablesOf(rowOf(key)).flat());
const inSeries = Object.values(SERIES).map(stem => `ESCUREL_${stem}…`);

describe('the table of settings', () => {
  test('[ST1] every fact from N001 to N080 has its names in the table, in the row that cites it', () => {
    const ids = Array.from({ length: 80 }, (_, index) => `N${String(index + 1).padStart(3, '0')}`);
    expect(Object.keys(FACTS)).toEqual(ids);
    for (const [id, names] of Object.entries(FACTS)) {
      const rows = KEYS.map(rowOf).filter(row => row.facts.split(' ').includes(id));
      const known = [...rows.flatMap(row => variablesOf(row).flat()), ...(rows.length > 0 ? inSeries : [])];
      expect([id, known]).toEqual([id, expect.arrayContaining([...names])]);
    }
  });

  test('[ST1] the table holds no other names', () => {
    const pinned = new Set([...Object.values(FACTS).flat(), ...OTHERS].map(bareOf));
    expect(new Set([...inTable, ...inSeries].map(bareOf))).toEqual(pinned);
  });

  test.each(
    KEYS.flatMap(key =>
      variablesOf(rowOf(key))
        .flat()
        .map(name => [name, key] as const),
    ),
  )('[ST1, ST2] %s is read as %s', (name, key) => {
    const file = key === 'config' || key === 'config_toml';
    const env = { ...(key === 'auth.mode' ? {} : OPEN), [name]: file ? 'x' : sample(key) };
    const { values } = read(env, file ? { x: file && key === 'config' ? '{}' : '' } : {});
    const keys = key === 'server.listen_http' ? (['server.host', 'server.port'] as const) : [key];
    for (const settled of keys) expect(values.source(settled)).toEqual({ from: 'variable', name });
  });

  test('[ST2] every prefixed name is read under the three prefixes, CONFIG aside', () => {
    const stems = [...new Set(inTable.map(bareOf).filter(name => name.startsWith('*_')))];
    expect(stems.length).toBeGreaterThan(90);
    for (const stem of stems) {
      for (const prefix of ['CAIRN', 'GROUNDNOTE', 'ESCUREL']) expect(inTable).toContain(stem.replace('*', prefix));
    }
    expect(variablesOf(rowOf('config'))).toEqual([['CAIRN_CONFIG', 'GROUNDNOTE_CONFIG']]);
    expect(variablesOf(rowOf('config_toml'))).toEqual([['ESCUREL_CONFIG']]);
  });

  test('[ST1] no two settings share a variable, but for the deployment and its name in the log', () => {
    const shared = inTable.filter((name, index) => inTable.indexOf(name) !== index);
    expect(shared).toEqual(['CAIRN_ENV', 'GROUNDNOTE_ENV', 'ESCUREL_ENV']);
  });

  test.each(FILE_KEYS)('[ST3] %s is read from its place in cairn.json', key => {
    const value = sampleData(key);
    const config = key.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), value);
    const { values } = readJson(config, key === 'auth.mode' ? {} : { CAIRN_AUTH_MODE: 'open' });
    const keys = key === 'server.listen_http' ? (['server.host', 'server.port'] as const) : [key];
    for (const settled of keys) expect(values.source(settled)).toEqual({ from: 'file', file: 'cairn.json', key });
    expect(values.get(keys[0]!)).not.toEqual(rowOf(keys[0]!).default);
  });

  test('[ST3] the zone may be called timezone', () => {
    expect(readJson({ timezone: 'Europe/Berlin' }).values.get('zone')).toBe('Europe/Berlin');
    expect(refusalsOf(readJson({ timezone: 'Europe/Berlin', zone: 'Europe/Paris' }))).toEqual([
      'settings-conflict: timezone in cairn.json and zone in cairn.json both set zone, but differ',
    ]);
  });

  test('[ST3] secrets are all for the environment alone', () => {
    const secrets = KEYS.filter(key => rowOf(key).secret);
    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter(key => !rowOf(key).envOnly)).toEqual([]);
  });
});
