import { nearest } from '../nearest.ts';
import type { Candidate, Environment, Found } from './candidate.ts';
import { KEYS, rowOf, SERIES, variablesOf, type Key } from './names.ts';
import type { Refusal, Warning } from './refusal.ts';
import { PREFIXES } from './row.ts';
import { readSeries } from './series.ts';

/**
 * Reads every known variable. Of bare and prefixed names only the strongest rank counts; whether names of one rank
 * agree is looked at later. An empty variable is an unset one, but for N074 (rules-gaps 12).
 */
export function readEnvironment(env: Environment): Found {
  const refusals: Refusal[] = [...removed(env)];
  const warnings: Warning[] = [...misspelt(env)];
  const candidates = KEYS.flatMap(key => {
    const ranks = variablesOf(rowOf(key));
    const strongest = ranks.find(names => names.some(name => given(env, key, name) !== undefined)) ?? [];
    return strongest.flatMap(name => readVariable(env, key, name, refusals, warnings));
  });
  const series = readSeries(env);
  return {
    candidates: [...candidates, ...series.candidates],
    refusals: [...refusals, ...series.refusals],
    warnings: [...warnings, ...series.warnings],
  };
}

function given(env: Environment, key: Key, name: string): string | undefined {
  const { secret, emptyCounts } = rowOf(key);
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  const trimmed = secret ? value : value?.trim();
  return trimmed === '' && !emptyCounts ? undefined : trimmed;
}

function readVariable(env: Environment, key: Key, name: string, refusals: Refusal[], warnings: Warning[]): Candidate[] {
  const value = given(env, key, name);
  if (value === undefined) return [];
  const parsed = rowOf(key).kind.text(value);
  if (!parsed.ok) {
    refusals.push({ code: parsed.code ?? 'setting-invalid', message: `${name} ${parsed.must}` });
    return [];
  }
  if (parsed.remark) warnings.push({ code: 'value-unknown', message: `${name}: ${parsed.remark}` });
  return [{ key, value: parsed.value, source: { from: 'variable', name } }];
}

/** A TCP listener of the operator existed once; whoever still asks for one must learn that there is none. */
function removed(env: Environment): Refusal[] {
  const names = PREFIXES.map(prefix => `${prefix}OPS_PORT`).filter(name => Object.hasOwn(env, name));
  return names.map(name => ({
    code: 'ops-port-removed',
    message: `${name} is set, but operators connect over a socket in the data folder; remove it`,
  }));
}

/** Variables that look like a slip of the pen: they start like ours, are not known, and are close to one that is. */
function misspelt(env: Environment): Warning[] {
  const known = new Set(KEYS.flatMap(key => variablesOf(rowOf(key)).flat()));
  return PREFIXES.flatMap(prefix => {
    const stems = [...known].filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length));
    return Object.keys(env)
      .filter(name => name.startsWith(prefix) && !known.has(name) && !name.endsWith('_OPS_PORT') && !isNumbered(name))
      .toSorted()
      .flatMap(name => {
        const near = nearest(name.slice(prefix.length), stems);
        return near
          ? [{ code: 'name-unknown', message: `${name} is not a setting; did you mean ${prefix}${near}?` }]
          : [];
      });
  });
}

const isNumbered = (name: string): boolean =>
  Object.values(SERIES).some(stem => PREFIXES.some(prefix => name.startsWith(`${prefix}${stem}`)));
