import { describe, expect, test } from 'vitest';
import { KEYS, rowOf, type Key } from '../../src/kernel/settings/index.ts';
import { OPEN, read, refusalsOf, sampleData, started, warningsOf } from './reading.ts';

/** The keys of E739-E742. */
const TOML_KEYS: Readonly<Record<string, readonly string[]>> = {
  server: ['data_dir', 'listen_http', 'tenant', 'version', 'env', 'rebuild_index_on_boot'],
  auth: [
    'oidc_issuer',
    'oidc_audience',
    'tenant_claim',
    'admin_role_claim',
    'admin_role_value',
    'groups_claim',
    'jwks_refresh_secs',
    'jwks_uri',
  ],
  storage: ['backend', 's3_bucket', 's3_endpoint', 's3_prefix', 's3_region'],
  embedding: ['provider', 'model', 'device', 'dim'],
  retrieval: [
    'rerank',
    'rerank_candidates',
    'rerank_model',
    'rerank_device',
    'two_pass',
    'coarse_dim',
    'coarse_candidates',
  ],
  observability: ['metrics_listen'],
  ingest: ['contextualize'],
};

const ENV = { ...OPEN, ESCUREL_CONFIG: 'old.toml' };
const readToml = (toml: string, env: Record<string, string> = ENV, json?: unknown) =>
  read(env, { 'old.toml': toml, ...(json !== undefined && { 'cairn.json': JSON.stringify(json) }) });
const tomlText = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

describe('the TOML file', () => {
  test('[ST4] its keys are those of the facts', () => {
    const pinned = Object.entries(TOML_KEYS).flatMap(([section, names]) => names.map(name => `${section}.${name}`));
    expect(KEYS.flatMap(key => rowOf(key).toml ?? []).toSorted()).toEqual(pinned.toSorted());
  });

  test.each(KEYS.filter(key => rowOf(key).toml !== undefined))('[ST4] %s is read from it', (key: Key) => {
    const path = rowOf(key).toml!;
    const [section, name] = path.split('.');
    const { values } = readToml(`[${section}]\n${name} = ${tomlText(sampleData(key))}\n`);
    const settled = key === 'server.listen_http' ? 'server.port' : key;
    expect(values.source(settled)).toEqual({ from: 'file', file: 'old.toml', key: path });
  });

  test('[ST4] unknown keys and sections are skipped, and named in one warning (E743)', () => {
    const toml =
      'stray = 1\n[quota.defaults]\nqueries = 1\n[server]\nlog_format = "x"\ntenant = "acme"\n"a\\nb" = 1\n[storage.s3]\nbucket = "b"\n';
    expect(started(readToml(toml)).server.tenant).toBe('acme');
    expect(warningsOf(readToml(toml))).toEqual([
      'name-unknown: old.toml: no setting, without effect: stray, quota, server.log_format, server."a\\nb", storage.s3',
    ]);
    expect(warningsOf(readToml('[server]\ntenant = "acme"\n'))).toEqual([]);
    const many = Array.from({ length: 23 }, (_, no) => `k${no} = 1\n`).join('');
    expect(warningsOf(readToml(many))).toEqual([expect.stringMatching(/: k0, .*, k19 and 3 more$/)]);
  });

  test('[ST4] a setting in place of a section is no section', () => {
    expect(warningsOf(readToml('server = 1\n'))).toEqual([
      'name-unknown: old.toml: no setting, without effect: server',
    ]);
  });

  test('[ST4] an empty text is no value, as with variables (N017)', () => {
    const reading = readToml('[server]\ntenant = ""\n[auth]\noidc_issuer = ""\n[observability]\nmetrics_listen = ""\n');
    const { server, auth, observability } = started(reading);
    expect([server.tenant, auth.mode, observability.metrics]).toEqual(['default', 'open', 'off']);
  });

  test('[ST4] the other spellings of CONFIG do not name it', () => {
    const reading = read({ ...OPEN, CAIRN_CONFIG: 'old.toml' }, { 'old.toml': '[server]\ntenant = "acme"\n' });
    expect(refusalsOf(reading)).toEqual(['config-syntax: old.toml:1:2: a value is expected here']);
  });

  test.each([
    ['[server]\ntenant = "a b"', 'config-invalid: old.toml: server.tenant must be 1 to 64 of a-z, 0-9, - and _'],
    ['[embedding]\ndim = "768"', 'config-invalid: old.toml: embedding.dim must be a whole number from 1 to 4096'],
    ['[embedding]\ndim = 7.5', 'config-invalid: old.toml: embedding.dim must be a whole number from 1 to 4096'],
    [
      '[retrieval]\nrerank = "best"',
      'config-invalid: old.toml: retrieval.rerank must be one of off, bge, cohere, jina, voyage',
    ],
  ])('[ST17] a bad value is refused with file and key: %j', (toml, refusal) => {
    expect(refusalsOf(readToml(toml))).toEqual([refusal]);
  });

  test('[ST34, ST50] bad syntax is refused with its place and without the text around it', () => {
    const refusals = refusalsOf(readToml('[server]\ntenant = "hush-hush\n'));
    expect(refusals).toEqual([expect.stringMatching(/^config-syntax: old\.toml:2:\d+: not valid TOML$/)]);
  });

  test('[ST34] a file that is named and not there, or cannot be read, refuses the start', () => {
    expect(refusalsOf(read(ENV))).toEqual(['config-unreadable: old.toml is not there']);
    const locked = Object.assign(new Error('no'), { code: 'EACCES' });
    expect(refusalsOf(read(ENV, { 'old.toml': locked }))).toEqual([
      'config-unreadable: old.toml cannot be read (EACCES)',
    ]);
  });

  test('[ST14] where both files speak they must agree, and each speaks alone', () => {
    const toml = '[server]\ntenant = "acme"\n[auth]\ntenant_claim = "org"\n';
    const agreeing = readToml(toml, ENV, { server: { tenant: 'acme' }, auth: { oidc: { groups_claim: 'groups' } } });
    expect(started(agreeing).server.tenant).toBe('acme');
    expect(agreeing.values.get('auth.oidc.tenant_claim')).toBe('org');
    expect(agreeing.values.get('auth.oidc.groups_claim')).toBe('groups');
    expect(refusalsOf(readToml(toml, ENV, { server: { tenant: 'other' } }))).toEqual([
      'settings-conflict: server.tenant in cairn.json and server.tenant in old.toml both set server.tenant, but differ',
    ]);
  });

  test('[ST13] a variable wins over it', () => {
    const reading = readToml('[server]\ntenant = "acme"\n', { ...ENV, GROUNDNOTE_TENANT: 'mine' });
    expect(started(reading).server.tenant).toBe('mine');
  });
});
