import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { readPlainHeader } from './plain-header.ts';
import { float, integer } from './yaml-numbers.ts';

/** Mappings and lists nest at most this deep in a header, the outermost mapping counted; the writer keeps to it too. */
export const MAX_DEPTH = 100;

const OPTIONS = { schema: CORE_SCHEMA.withTags(integer, float), maxDepth: 4 * MAX_DEPTH };

export type MappingResult =
  | { readonly mapping: JsonObject }
  /** `line` and `column` are 0-based and counted in the header. */
  | {
      readonly code: 'malformed_frontmatter' | 'frontmatter_no_mapping';
      readonly message: string;
      readonly line: number;
      readonly column: number;
    };

/** Reads a header's YAML (1.2 core: dates stay text, E104) as JSON. Never throws (E099, E100). */
export function readMapping(yaml: string): MappingResult {
  const plain = readPlainHeader(yaml);
  return plain === null ? readYaml(yaml) : { mapping: plain };
}

/** The same by way of the YAML library alone, whatever the header looks like. */
export function readYaml(yaml: string): MappingResult {
  let value: unknown;
  try {
    if (yaml.trim() === '') return noMapping('is empty');
    value = load(yaml, OPTIONS);
  } catch (error) {
    const mark = error instanceof YAMLException ? error.mark : undefined;
    const message = error instanceof YAMLException ? error.reason : 'the YAML cannot be read';
    return malformed(message, mark?.line, mark?.column);
  }
  if (!isObject(value)) return noMapping(Array.isArray(value) ? 'holds a list' : 'holds a single value');
  if (yaml.indexOf('*') !== -1) {
    const expanded = expandAliases(value, 65_536 + 10 * yaml.length);
    if (expanded === undefined) return malformed('aliases refer to themselves or expand without bound');
    return { mapping: expanded as JsonObject };
  }
  if (!isWithin(value, MAX_DEPTH)) return malformed(`values nest deeper than ${MAX_DEPTH} levels`);
  return { mapping: value as JsonObject };
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (!isWithin(item, levels - 1)) return false;
  return true;
}

function malformed(message: string, line = 0, column = 0): MappingResult {
  return { code: 'malformed_frontmatter', message, line, column };
}

function noMapping(what: string): MappingResult {
  return {
    code: 'frontmatter_no_mapping',
    message: `the header ${what}, not a mapping of keys to values`,
    line: 0,
    column: 0,
  };
}

/** A copy without shared parts, so that no answer grows past `budget`; undefined for a cycle or a bomb. */
function expandAliases(root: Json | object, budget: number): Json | undefined {
  let left = budget;
  const copy = (value: unknown, depth: number): Json => {
    left -= typeof value === 'string' ? value.length + 1 : 1;
    if (left < 0 || (depth > MAX_DEPTH && typeof value === 'object')) throw new RangeError('aliases');
    if (Array.isArray(value)) return value.map(item => copy(item, depth + 1));
    if (!isObject(value)) return value as Json;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        left -= key.length;
        return [key, copy(item, depth + 1)];
      }),
    );
  };
  try {
    return copy(root, 1);
  } catch {
    return undefined;
  }
}
