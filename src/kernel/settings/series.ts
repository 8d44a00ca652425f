import type { Environment, Found } from './candidate.ts';
import { url } from './kinds-address.ts';
import { SERIES } from './names.ts';
import type { Refusal, Warning } from './refusal.ts';
import { PREFIXES } from './row.ts';

const address = url();

interface Member {
  readonly name: string;
  readonly value: string;
}

/**
 * Numbered issuers and their key addresses, from 2 on up to the first number without an issuer (N025, N026).
 * Numbers behind that gap are not read, which a warning says.
 */
export function readSeries(env: Environment): Found {
  const refusals: Refusal[] = [];
  const warnings: Warning[] = [];
  const issuers: { issuer: string; jwks_uri?: string }[] = [];
  const names: string[] = [];
  for (let number = 2; ; number++) {
    const issuer = member(env, `${SERIES.issuer}${number}`, refusals);
    if (issuer === undefined) break;
    const jwksUri = member(env, `${SERIES.jwksUri}${number}`, refusals);
    issuers.push({ issuer: issuer.value, ...(jwksUri && { jwks_uri: jwksUri.value }) });
    names.push(issuer.name);
  }
  const gap = issuers.length + 2;
  for (const name of Object.keys(env)
    .filter(one => numberOf(one) >= gap && env[one]?.trim())
    .toSorted()) {
    warnings.push({ code: 'series-gap', message: `${name} is not read: there is no issuer ${gap}` });
  }
  const [first] = names;
  const candidates =
    first === undefined
      ? []
      : [
          {
            key: 'auth.oidc.more_issuers',
            value: issuers,
            source: { from: 'variable', name: names.join(', ') },
          } as const,
        ];
  return { candidates, refusals, warnings };
}

/** The value of one numbered name in any spelling; a conflict or a bad value is refused, and its number still counts. */
function member(env: Environment, stem: string, refusals: Refusal[]): Member | undefined {
  const set = PREFIXES.map(prefix => `${prefix}${stem}`).flatMap(name => {
    const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
    return value ? [{ name, value }] : [];
  });
  const [first] = set;
  if (first === undefined) return undefined;
  const other = set.find(one => one.value !== first.value);
  if (other) {
    refusals.push({
      code: 'settings-conflict',
      message: `${first.name} and ${other.name} are the same setting, but differ`,
    });
  }
  for (const { name, value } of set) {
    const parsed = address.text(value);
    if (!parsed.ok) refusals.push({ code: 'setting-invalid', message: `${name} ${parsed.must}` });
  }
  return first;
}

/** The number at the end of a name of the series, or -1. */
function numberOf(name: string): number {
  const prefix = PREFIXES.find(one => name.startsWith(one));
  const stem = Object.values(SERIES).find(one => prefix !== undefined && name.startsWith(`${prefix}${one}`));
  const number = stem === undefined ? '' : name.slice(prefix!.length + stem.length);
  return /^\d{1,6}$/.test(number) ? Number(number) : -1;
}
