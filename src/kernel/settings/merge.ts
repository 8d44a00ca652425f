import { sourceText, type Candidate, type Source } from './candidate.ts';
import type { Address } from './kinds-address.ts';
import { KEYS, rowOf, SPLITS, type Key, type Value } from './names.ts';
import type { Refusal } from './refusal.ts';

/** A value that holds and where it comes from. */
interface Setting {
  readonly value: unknown;
  readonly source: Source;
}

/** Every setting, settled. */
export interface Values {
  get<K extends Key>(key: K): Value<K>;
  source(key: Key): Source;
  /** Whether a variable or a file says it. */
  isGiven(key: Key): boolean;
}

/**
 * Settles what the readers found: the environment wins over files, files over defaults. Candidates of one layer, which
 * are two spellings of a variable or the JSON and the TOML file, must agree (rules-gaps 12).
 */
export function merge(
  environment: readonly Candidate[],
  files: readonly Candidate[],
): { readonly values: Values; readonly refusals: readonly Refusal[] } {
  const refusals: Refusal[] = [];
  const strong = layer(environment, refusals);
  const weak = layer(files, refusals);
  const settled = new Map<Key, Setting>(
    KEYS.map(key => [
      key,
      strong.get(key) ?? weak.get(key) ?? { value: rowOf(key).default, source: { from: 'default' } },
    ]),
  );
  derive(settled);
  return { values: valuesOf(settled), refusals };
}

/** An earlier pages deployment names an issuer and no mode (rules-gaps 12). */
function derive(settled: Map<Key, Setting>): void {
  const { source } = settled.get('auth.oidc.issuer')!;
  if (settled.get('auth.mode')!.source.from !== 'default' || source.from === 'default') return;
  settled.set('auth.mode', { value: 'oidc', source: { from: 'derived', because: sourceText(source) } });
}

function valuesOf(settled: ReadonlyMap<Key, Setting>): Values {
  return {
    get: <K extends Key>(key: K) => settled.get(key)!.value as Value<K>,
    source: key => settled.get(key)!.source,
    isGiven: key => ['variable', 'file'].includes(settled.get(key)!.source.from),
  };
}

function layer(candidates: readonly Candidate[], refusals: Refusal[]): Map<Key, Candidate> {
  const first = new Map<Key, Candidate>();
  for (const candidate of candidates.flatMap(split)) {
    const earlier = first.get(candidate.key);
    if (earlier === undefined) first.set(candidate.key, candidate);
    else if (!same(earlier.value, candidate.value)) {
      const both = `${sourceText(earlier.source)} and ${sourceText(candidate.source)}`;
      refusals.push({ code: 'settings-conflict', message: `${both} both set ${candidate.key}, but differ` });
    }
  }
  return first;
}

/** `host:port` counts as a host and a port. */
function split(candidate: Candidate): Candidate[] {
  if (candidate.key !== 'server.listen_http') return [candidate];
  const [hostKey, portKey] = SPLITS[candidate.key];
  const { host, port } = candidate.value as Address;
  return [
    { ...candidate, key: hostKey, value: host },
    { ...candidate, key: portKey, value: port },
  ];
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, ordered(v)]),
  );
}
