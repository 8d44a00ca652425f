import { KEYS, readSettings, rowOf, type Key, type Reading } from '../../src/kernel/settings/index.ts';

export const CWD = '/srv/notes';
export const TOKEN = 'agent-token-of-at-least-32-characters';
export const OTHER_TOKEN = 'other-token-of-at-least-32-characters';

/** Enough for a start in the mode that asks for least. */
export const OPEN = { CAIRN_AUTH_MODE: 'open' } as const;
export const DEV = {
  CAIRN_AUTH_MODE: 'dev-token',
  CAIRN_DEV_MCP_TOKEN: TOKEN,
  CAIRN_DEV_IDENTITY: 'dev@example.org',
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings from variables and from files given as texts, or as errors for files that cannot be read. */
export function read(env: Environment, files: Readonly<Record<string, string | Error>> = {}): Reading {
  const readFile = (path: string): string | undefined => {
    const text = files[path.replace(`${CWD}/`, '')];
    if (text instanceof Error) throw text;
    return text;
  };
  return readSettings({ env, cwd: CWD, readFile });
}

/** The same with one cairn.json, given as a value. */
export const readJson = (config: unknown, env: Environment = OPEN): Reading =>
  read(env, { 'cairn.json': JSON.stringify(config, null, 2) });

/** Refusals as `code: message`; none when a start is possible. */
export const refusalsOf = (reading: Reading): readonly string[] =>
  reading.ok ? [] : reading.refusals.map(({ code, message }) => `${code}: ${message}`);

export const warningsOf = (reading: Reading): readonly string[] =>
  reading.warnings.map(({ code, message }) => `${code}: ${message}`);

/** The settings of a start that must be possible. */
export function started(reading: Reading) {
  if (!reading.ok) throw new Error(`refused: ${refusalsOf(reading).join('; ')}`);
  return reading.settings;
}

const SAMPLES = [
  '7',
  'a@example.org',
  'https://a.example.org',
  '0.0.0.0:7',
  '0.25',
  '90',
  'Europe/Berlin',
  TOKEN,
  'log',
  'always',
];

/** A text that the setting accepts and that is not its default. */
export function sample(key: Key): string {
  const { kind, default: fallback } = rowOf(key);
  const words = [...kind.says.split(', '), 'false', 'true', ...SAMPLES];
  const accepted = words.find(word => {
    const parsed = kind.text(word);
    return parsed.ok && parsed.remark === undefined && parsed.value !== fallback;
  });
  if (accepted === undefined) throw new Error(`no sample is accepted by ${key}`);
  return accepted;
}

/** A value as cairn.json would hold it, and that is not the default. */
export function sampleData(key: Key): unknown {
  const shaped = SHAPED[key];
  if (shaped !== undefined) return shaped;
  const text = sample(key);
  const { kind } = rowOf(key);
  const forms = [text, Number(text), text === 'true', [text]];
  return forms.find(form => kind.data(form).ok);
}

const SHAPED: Partial<Record<Key, unknown>> = {
  'auth.oidc.more_issuers': [{ issuer: 'https://two.example.org' }],
  access: { team_domain: 'https://t.example.org', aud_mcp: 'a', aud_approval: 'b', aud_api: 'c' },
  admins: ['root@example.org'],
  scopes: [{ name: 'sales', providers_allowed: ['local'] }],
  approval: { default_mode: 'manual', scopes: { sales: { mode: 'autonomous', classes: { personal: 'manual' } } } },
  'search.synonyms': [['bolt', 'screw']],
  'search.languages': ['de'],
  'search.lexical': { features: { prf: true }, field_weights: [1, 2, 3, 4], sub_weights: { tri: 0.5 } },
  'search.semantic': { enabled: true, model: 'bge-m3' },
  'search.reranker': { enabled: true, threshold: 0.25 },
  'graph.entity_types': ['machine'],
  'graph.proposed_min_confidence': 0.5,
  backup: { kind: 'copy', directory: '/backup', deadman_url: 'https://ping.example.org/1' },
  at_rest: { kind: 'volume', attested_at: '2026-01-31' },
};

/** Keys that a file may hold and that a variable sets. */
export const FILE_KEYS = KEYS.filter(key => !rowOf(key).envOnly);
