import { parse, TomlError } from 'smol-toml';
import { isObject } from '../json.ts';
import type { Found } from './candidate.ts';
import { KEYS, rowOf } from './names.ts';
import type { Refusal, Warning } from './refusal.ts';

/** Unknown keys that one warning names. */
const MOST_NAMED = 20;

/**
 * Reads the text of a TOML file: known keys strictly (E744), other keys not at all, but for one warning that names them
 * (E739-E743). Never throws.
 */
export function readTomlFile(file: string, source: string): Found {
  const refusals: Refusal[] = [];
  const root = parsed(file, source, refusals);
  const warnings: Warning[] = withoutEffect(file, root);
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

/** Keys and tables of which no setting comes, each by its outermost name. */
function withoutEffect(file: string, root: unknown): Warning[] {
  const known = KEYS.flatMap(key => rowOf(key).toml ?? []);
  const strays = isObject(root) ? straysIn(root, [], known) : [];
  if (strays.length === 0) return [];
  const more = strays.length > MOST_NAMED ? ` and ${strays.length - MOST_NAMED} more` : '';
  const names = strays.slice(0, MOST_NAMED).join(', ');
  return [{ code: 'name-unknown', message: `${file}: no setting, without effect: ${names}${more}` }];
}

function straysIn(table: Record<string, unknown>, above: readonly string[], known: readonly string[]): string[] {
  return Object.entries(table).flatMap(([name, below]) => {
    const path = [...above, name].join('.');
    if (known.includes(path)) return [];
    const holdsKnown = known.some(key => key.startsWith(`${path}.`));
    if (holdsKnown && isObject(below)) return straysIn(below, [...above, name], known);
    return [[...above, name].map(spelled).join('.')];
  });
}

/** As it stands in the file: quoted where it holds more than letters, digits, dashes and underscores. */
const spelled = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

function at(root: unknown, path: readonly string[]): unknown {
  let here = root;
  for (const name of path) here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}
