import { describe, expect, test } from 'vitest';
import { DEV, OPEN, readJson, refusalsOf, started, warningsOf } from './reading.ts';

const BACKUP = { kind: 'copy', directory: '/backup', deadman_url: 'https://ping.example.org/1' } as const;
const SCOPE = { name: 'sales', providers_allowed: ['local'] } as const;

/** A whole configuration as the rules contract has it. */
const WHOLE = {
  instance: 'notes',
  zone: 'Europe/Berlin',
  public_url: 'https://notes.example.org',
  scopes: [SCOPE, { name: 'works', providers_allowed: [], reranker: true }],
  access: { team_domain: 'https://t.example.org', aud_mcp: 'a', aud_approval: 'b', aud_api: 'c' },
  search: {
    synonyms: [['bolt', 'screw']],
    languages: ['de'],
    lexical: { features: { trigram: true }, field_weights: [4, 3, 2, 1], fusion: 'rrf', rrf_k: 60, max_key_terms: 6 },
    min_coverage: 0.2,
    semantic: { enabled: true, model: 'qwen3-embedding-0.6b', model_dir: '/models' },
    reranker: { enabled: true, provider: 'typesafe', monthly_cap_usd: 5, timeout_ms: 1000, threshold: 0.5 },
  },
  backup: { ...BACKUP, export_directory: '/exports' },
  at_rest: { kind: 'volume', attested_at: '2026-02-28' },
  doctor: { max_backup_age_hours: 26, max_probe_age_hours: 336 },
  recheck_after_days: 90,
  limits: { requests_per_minute: 30, trusted_proxy: true, exports_per_hour: 10_000 },
  graph: { entity_types: ['machine', 'part'], max_depth: 8, proposed_min_confidence: null },
  approval: {
    default_mode: 'classified',
    scopes: { sales: { mode: 'autonomous', daily_limit: 20, classes: { personal: 'manual' } } },
    internal_domains: ['example.org'],
    large_subtree: 50,
  },
};

const secretOf = (name: string): string => `${name}-secret-of-at-least-32-characters`;
/** Enough secrets for rules in mode dev-token. */
const MOUNTED = {
  ...DEV,
  CAIRN_SESSION_SECRET: secretOf('session'),
  CAIRN_OPS_TOKEN: secretOf('ops'),
  CAIRN_DEV_API_TOKEN: secretOf('api'),
  CAIRN_DEV_APPROVAL_TOKEN: secretOf('approval'),
} as const;
const OIDC = { CAIRN_AUTH_MODE: 'oidc', CAIRN_AUTH_OIDC_ISSUER: 'https://id.example.org' } as const;
const lacking = (env: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

describe('the configuration of the rules', () => {
  test('[ST35, ST18] a whole one is accepted; every setting of a part that is not built has its one warning', () => {
    const reading = readJson(WHOLE, MOUNTED);
    expect(refusalsOf(reading)).toEqual([]);
    const named = warningsOf(reading).map(
      warning => /^part-not-built: (\S+) in cairn\.json has no effect: /.exec(warning)?.[1],
    );
    expect(named.toSorted()).toEqual([
      'approval',
      'at_rest',
      'backup',
      'doctor.max_backup_age_hours',
      'doctor.max_probe_age_hours',
      'graph.entity_types',
      'graph.max_depth',
      'graph.proposed_min_confidence',
    ]);
  });

  test('[ST35] the other kind of backup, and switched off stages', () => {
    const backup = {
      kind: 'litestream',
      target: 's3://bucket/x',
      prefix: 'notes',
      deadman_url: 'https://p.example.org',
    };
    const off = { enabled: false };
    expect(refusalsOf(readJson({ ...WHOLE, backup, search: { semantic: off, reranker: off } }))).toEqual([]);
  });

  test.each(['instance', 'zone', 'public_url', 'search', 'backup'] as const)('[ST35] scopes ask for %s', key => {
    const { [key]: _, ...rest } = WHOLE;
    expect(refusalsOf(readJson(rest))).toEqual([
      `config-invalid: ${key} is missing; a configuration with scopes needs it`,
    ]);
    const { scopes: __, ...without } = rest as typeof WHOLE;
    expect(refusalsOf(readJson(without))).toEqual([]);
  });

  test.each([
    [{ scopes: [] }],
    [{ scopes: [SCOPE, SCOPE] }],
    [{ scopes: [{ ...SCOPE, name: 'Sales' }] }],
    [{ scopes: [{ name: 'sales' }] }],
    [{ scopes: [{ ...SCOPE, providers_allowed: ['mine'] }] }],
    [{ access: { ...WHOLE.access, aud_api: 'a' } }],
    [{ access: { ...WHOLE.access, team_domain: 'team' } }],
    [{ search: { languages: [] } }],
    [{ search: { languages: ['fr'] } }],
    [{ search: { synonyms: [['alone']] } }],
    [{ search: { lexical: { field_weights: [1, 2, 3] } } }],
    [{ search: { lexical: { rrf_k: 0 } } }],
    [{ search: { min_coverage: 1.1 } }],
    [{ search: { semantic: { enabled: false, model: 'bge-m3' } } }],
    [{ search: { reranker: { enabled: true, timeout_ms: 99 } } }],
    [{ search: { reranker: { enabled: true, provider: 'openai' } } }],
    [{ backup: { kind: 'tape' } }],
    [{ backup: { ...BACKUP, export_directory: 'exports' } }],
    [{ backup: { kind: 'copy', directory: '/b' } }],
    [{ at_rest: { kind: 'volume', attested_at: '2026-02-30' } }],
    [{ doctor: { max_backup_age_hours: 337 } }],
    [{ graph: { entity_types: ['a_type', 'a_type'] } }],
    [{ graph: { entity_types: ['Type'] } }],
    [{ graph: { proposed_min_confidence: 2 } }],
    [{ limits: { login_attempts_per_minute: 100_001 } }],
    [{ approval: { default_mode: 'yolo' } }],
    [{ approval: { scopes: { sales: { classes: { personal: 'auto' } } } } }],
    [{ approval: { scopes: { sales: { daily_limit: 0 } } } }],
  ])('[ST35] %j is refused with its place', part => {
    const refusals = refusalsOf(readJson(part));
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatch(/^config-(invalid|unknown-key): cairn\.json:\d+:\d+: \S+ (is not|must)/);
  });

  test.each([
    'payment',
    'secret',
    'contradiction',
    'external-sensitive',
    'injection',
    'unchecked-quote',
    'doubt',
    'large-subtree',
  ])('[ST36] the mandatory exception %s cannot be named', exception => {
    for (const approval of [
      { [exception]: false },
      { exceptions: { [exception]: false } },
      { scopes: { sales: { [exception]: 'manual' } } },
      { scopes: { sales: { classes: { [exception]: 'manual' } } } },
    ]) {
      expect(refusalsOf(readJson({ approval }, OPEN))).toEqual([expect.stringMatching(/^config-/)]);
    }
  });
});

describe('where rules are mounted', () => {
  test('[ST51] scopes do it, and their settings are carried', () => {
    expect(started(readJson(WHOLE, MOUNTED)).rules).toEqual({
      instance: 'notes',
      zone: 'Europe/Berlin',
      publicUrl: 'https://notes.example.org',
      scopes: ['sales', 'works'],
      search: {
        languages: ['de'],
        minCoverage: 0.2,
        synonyms: WHOLE.search.synonyms,
        lexical: WHOLE.search.lexical,
        semantic: WHOLE.search.semantic,
        reranker: { ...WHOLE.search.reranker, model: 'jev-1.14.0' },
        providers: Object.fromEntries(
          WHOLE.scopes.map(({ name, providers_allowed }) => [
            name,
            { allowed: providers_allowed, reranker: name === 'works' },
          ]),
        ),
      },
      limits: {
        requestsPerMinute: 30,
        decisionsPerMinute: 60,
        loginAttemptsPerMinute: 5,
        exportsPerHour: 10_000,
        trustedProxy: true,
      },
      recheckAfterDays: 90,
      backup: { kind: 'copy', directory: '/backup', exportDirectory: '/exports' },
      sessionSecret: MOUNTED.CAIRN_SESSION_SECRET,
      opsToken: MOUNTED.CAIRN_OPS_TOKEN,
    });
    const { scopes: _, ...pagesOnly } = WHOLE;
    expect(started(readJson(pagesOnly, DEV)).rules).toBeNull();
  });

  test('[ST51] a folder of backups starts at the working directory; litestream has none', () => {
    const copied = started(readJson({ ...WHOLE, backup: { ...BACKUP, directory: './copies' } }, MOUNTED));
    expect(copied.rules?.backup).toEqual({ kind: 'copy', directory: '/srv/notes/copies', exportDirectory: null });
    const backup = { kind: 'litestream', target: 's3://bucket/x', prefix: 'n', deadman_url: 'https://p.example.org' };
    expect(started(readJson({ ...WHOLE, backup }, MOUNTED)).rules?.backup).toEqual({
      kind: 'litestream',
      directory: null,
      exportDirectory: null,
    });
  });

  test('[ST51] an open gateway has none, and needs no secrets for it', () => {
    const reading = readJson(WHOLE, OPEN);
    expect(started(reading).rules).toBeNull();
    expect(warningsOf(reading)).toContain('rules-not-mounted: scopes have no effect in mode open');
    expect(warningsOf(readJson(WHOLE, MOUNTED)).join()).not.toContain('rules-not-mounted');
  });

  test('[ST52] each secret is missed by its name', () => {
    const needs = (name: string) => `secret-missing: ${name} is not set; a configuration with scopes needs it`;
    const common = ['CAIRN_SESSION_SECRET', 'CAIRN_OPS_TOKEN'];
    const dev = ['CAIRN_DEV_API_TOKEN', 'CAIRN_DEV_APPROVAL_TOKEN'];
    expect(refusalsOf(readJson(WHOLE, DEV))).toEqual([...common, ...dev].map(needs));
    for (const name of [...common, ...dev])
      expect(refusalsOf(readJson(WHOLE, lacking(MOUNTED, name)))).toEqual([needs(name)]);
    expect(refusalsOf(readJson(WHOLE, OIDC))).toEqual(common.map(needs));
    expect(refusalsOf(readJson({ ...WHOLE, auth: { mode: 'cloudflare-access' } }, {}))).toEqual(common.map(needs));
    expect(refusalsOf(readJson(lacking(WHOLE as never, 'scopes'), DEV))).toEqual([]);
  });

  test('[ST53] people who decide sign in by https or on this machine', () => {
    const codes = (public_url: string, env: Readonly<Record<string, string>>) =>
      refusalsOf(readJson({ ...WHOLE, public_url }, env)).map(line => line.split(':')[0]);
    const secrets = lacking(MOUNTED, ...Object.keys(DEV), 'CAIRN_DEV_API_TOKEN', 'CAIRN_DEV_APPROVAL_TOKEN');
    for (const env of [MOUNTED, { ...OIDC, ...secrets }]) {
      for (const home of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:1', 'https://n.example.org'])
        expect(codes(home, env)).toEqual([]);
      for (const away of ['http://n.example.org', 'http://10.0.0.7:8080', 'http://127.0.0.1.example.org'])
        expect(codes(away, env)).toEqual(['public-url-not-https']);
    }
    expect(codes('http://n.example.org', { ...MOUNTED, CAIRN_DEV_ALLOW_NON_LOOPBACK: 'true' })).toEqual([]);
    const pages = lacking(WHOLE as never, 'scopes');
    expect(refusalsOf(readJson({ ...pages, public_url: 'http://n.example.org' }, DEV))).toEqual([]);
  });

  test('[ST54] an issuer without a client for people is remarked upon', () => {
    const secrets = lacking(MOUNTED, ...Object.keys(DEV), 'CAIRN_DEV_API_TOKEN', 'CAIRN_DEV_APPROVAL_TOKEN');
    const warnings = (env: Readonly<Record<string, string>>) => warningsOf(readJson(WHOLE, env)).join('\n');
    expect(warnings({ ...OIDC, ...secrets })).toContain('approval-client-missing: ');
    expect(warnings({ ...OIDC, ...secrets, CAIRN_AUTH_APPROVAL_CLIENT_ID: 'people' })).not.toContain('approval-client');
    expect(warnings(MOUNTED)).not.toContain('approval-client');
  });
});
