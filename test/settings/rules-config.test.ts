import { describe, expect, test } from 'vitest';
import { OPEN, readJson, refusalsOf, warningsOf } from './reading.ts';

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

describe('the configuration of the rules', () => {
  test('[ST35, ST18] a whole one is accepted; every setting of a part that is not built has its one warning', () => {
    const reading = readJson(WHOLE);
    expect(refusalsOf(reading)).toEqual([]);
    const named = warningsOf(reading).map(
      warning => /^part-not-built: (\S+) in cairn\.json has no effect: /.exec(warning)?.[1],
    );
    expect(named.toSorted()).toEqual([
      'access',
      'approval',
      'at_rest',
      'backup',
      'doctor.max_backup_age_hours',
      'doctor.max_probe_age_hours',
      'graph.entity_types',
      'graph.max_depth',
      'graph.proposed_min_confidence',
      'instance',
      'limits.exports_per_hour',
      'limits.requests_per_minute',
      'limits.trusted_proxy',
      'recheck_after_days',
      'scopes',
      'search.languages',
      'search.lexical',
      'search.min_coverage',
      'search.reranker',
      'search.semantic',
      'search.synonyms',
      'zone',
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
