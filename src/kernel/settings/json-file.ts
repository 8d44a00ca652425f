import { isObject } from '../json.ts';
import { nearest } from '../nearest.ts';
import type { Candidate, Found } from './candidate.ts';
import { readJsonText, type JsonText } from './json-text.ts';
import { KEYS, rowOf, usualVariable, type Key } from './names.ts';
import type { Refusal, Warning } from './refusal.ts';

type Tree = Map<string, Tree | Key>;

interface Walk {
  readonly file: string;
  readonly text: Extract<JsonText, { ok: true }>;
  readonly candidates: Candidate[];
  readonly refusals: Refusal[];
  readonly warnings: Warning[];
}

/**
 * Reads the text of a cairn.json. Strict: bad syntax, a key that is not known (named with the nearest that is), a bad
 * value and a secret are refused with line and column. `root` is what the file holds.
 */
export function readJsonFile(file: string, source: string): Found & { readonly root: Record<string, unknown> } {
  const text = readJsonText(source);
  const walk = { file, candidates: [], refusals: [] as Refusal[], warnings: [] };
  if (!text.ok) {
    const { line, column } = text.place;
    walk.refusals.push({ code: 'config-syntax', message: `${file}:${line}:${column}: ${text.problem}` });
    return { ...walk, root: {} };
  }
  if (!isObject(text.value)) {
    walk.refusals.push({ code: 'config-invalid', message: `${file}: must hold one object` });
    return { ...walk, root: {} };
  }
  descend(text.value, tree(), [], { ...walk, text });
  return { ...walk, root: text.value };
}

/** The places of cairn.json as a tree of names, leaves being settings. */
function tree(): Tree {
  const root: Tree = new Map();
  for (const key of KEYS.filter(one => !rowOf(one).envOnly)) {
    for (const path of [key, ...(rowOf(key).also ?? [])].map(dotted => dotted.split('.'))) {
      let here = root;
      for (const name of path.slice(0, -1)) {
        const below = here.get(name) ?? new Map();
        here.set(name, below);
        here = below as Tree;
      }
      here.set(path.at(-1)!, key);
    }
  }
  return root;
}

function descend(value: Record<string, unknown>, known: Tree, path: readonly string[], walk: Walk): void {
  for (const [name, below] of Object.entries(value)) {
    const here = [...path, name];
    const next = known.get(name);
    if (next === undefined) refuseKey(here, known, walk);
    else if (typeof next === 'string') take(next, below, here, walk);
    else if (isObject(below)) descend(below, next, here, walk);
    else walk.refusals.push({ code: 'config-invalid', message: `${where(here, walk)} must be an object` });
  }
}

function refuseKey(path: readonly string[], siblings: Tree, walk: Walk): void {
  const variable = KEYS.find(key => key === path.join('.') && rowOf(key).envOnly);
  if (variable) {
    const row = rowOf(variable);
    const message = `${where(path, walk)} does not belong in a file; set ${usualVariable(row)}`;
    walk.refusals.push({ code: row.secret ? 'secret-in-config' : 'config-unknown-key', message });
    return;
  }
  const near = nearest(path.at(-1)!, siblings.keys());
  const hint = near === undefined ? '' : `; did you mean ${[...path.slice(0, -1), near].join('.')}?`;
  walk.refusals.push({ code: 'config-unknown-key', message: `${where(path, walk)} is not a known key${hint}` });
}

function take(key: Key, value: unknown, path: readonly string[], walk: Walk): void {
  const parsed = rowOf(key).kind.data(value);
  if (parsed.ok) {
    const source = { from: 'file', file: walk.file, key: path.join('.') } as const;
    if (parsed.remark) walk.warnings.push({ code: 'value-unknown', message: `${where(path, walk)}: ${parsed.remark}` });
    walk.candidates.push({ key, value: parsed.value, source });
    return;
  }
  const place = [...path, ...(parsed.at ?? [])];
  walk.refusals.push({ code: parsed.code ?? 'config-invalid', message: `${where(place, walk)} ${parsed.must}` });
}

/** `cairn.json:3:5: server.port`; a place that is missing in the text has the line of what should hold it. */
function where(path: readonly PropertyKey[], walk: Walk): string {
  for (let length = path.length; length > 0; length--) {
    const place = walk.text.placeOf(path.slice(0, length));
    if (place) return `${walk.file}:${place.line}:${place.column}: ${path.map(String).join('.')}`;
  }
  return `${walk.file}: ${path.map(String).join('.')}`;
}
