import { parse, TomlError } from 'smol-toml';
import { isObject } from '../json.ts';
import type { Found } from './candidate.ts';
import { KEYS, rowOf } from './names.ts';
import type { Refusal, Warning } from './refusal.ts';

/** Reads the text of a TOML file: known keys strictly (E744), other keys not at all (E739-E743). Never throws. */
export function readTomlFile(file: string, source: string): Found {
  const refusals: Refusal[] = [];
  const warnings: Warning[] = [];
  const root = parsed(file, source, refusals);
  const candidates = KEYS.flatMap(key => {
    const { toml, kind } = rowOf(key);
    const value = toml === undefined ? undefined : at(root, toml.split('.'));
    if (toml === undefined || value === undefined) return [];
    const read = kind.data(value);
    if (!read.ok) {
      // As with variables: nothing is no value (N017).
      if (value === '') return [];
      refusals.push({ code: read.code ?? 'config-invalid', message: `${file}: ${toml} ${read.must}` });
      return [];
    }
    if (read.remark) warnings.push({ code: 'value-unknown', message: `${file}: ${toml}: ${read.remark}` });
    return [{ key, value: read.value, source: { from: 'file', file, key: toml } as const }];
  });
  return { candidates, refusals, warnings };
}

function parsed(file: string, source: string, refusals: Refusal[]): unknown {
  try {
    return parse(source.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    // The parser's own message quotes the lines around the place, and with them what a secret might be.
    const place = thrown instanceof TomlError ? `:${thrown.line}:${thrown.column}` : '';
    refusals.push({ code: 'config-syntax', message: `${file}${place}: not valid TOML` });
    return undefined;
  }
}

function at(root: unknown, path: readonly string[]): unknown {
  let here = root;
  for (const name of path) here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}
