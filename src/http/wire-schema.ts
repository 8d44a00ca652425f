import { z } from 'zod';
import { isObject } from '../kernel/json.ts';

/** A node of a JSON Schema as it goes over the wire. */
export interface JsonSchema {
  type?: string | string[];
  [keyword: string]: unknown;
}

const ANY = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/**
 * The schema of a tool's arguments: a plain object with one type on every node, no `$ref`, no union at the top (M01, M03).
 * That null stands for an absent argument is left out, since many clients drop a tool over it.
 */
export const argumentSchema = (input: z.ZodObject): JsonSchema => flat(rawSchema(input, 'input'), false);

/** The schema of a tool's result. Open for further keys, and null stays, since clients hold results against it (M14). */
export const resultSchema = (output: z.ZodObject): JsonSchema => flat(rawSchema(output, 'output'), true);

/** What zod says about an object, types that JSON cannot name left open. */
export const rawSchema = (schema: z.ZodObject, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema;

/** The types a node admits; undefined when it says nothing about them. */
export function typesOf(node: JsonSchema): string[] | undefined {
  if (node.type !== undefined) return [node.type].flat();
  const values = 'const' in node ? [node['const']] : node['enum'];
  if (Array.isArray(values)) return [...new Set(values.map(typeOfValue))];
  const branches = branchesOf(node)?.map(typesOf);
  return branches?.every(types => types !== undefined) ? [...new Set(branches.flat())] : undefined;
}

export const branchesOf = (node: JsonSchema): JsonSchema[] | undefined =>
  (node['anyOf'] ?? node['oneOf']) as JsonSchema[] | undefined;

const typeOfValue = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const NOISE = new Set(['$schema', '$defs', 'propertyNames']);

function flat(source: JsonSchema, isResult: boolean): JsonSchema {
  if ('$ref' in source) return flat({ ...text(source) }, isResult);
  const node: JsonSchema = {};
  for (const [key, value] of Object.entries(source)) {
    if (NOISE.has(key) || isNoise(source, key, value, isResult)) continue;
    node[key] = flatKeyword(key, value, isResult);
  }
  const branches = branchesOf(node);
  if (branches) return flatUnion(node, branches, isResult);
  const types = typesOf(node);
  const named = types && !isResult && types.length > 1 ? types.filter(type => type !== 'null') : types;
  if (!named) return anything(node, isResult);
  node.type = named.length === 1 ? named[0]! : named;
  if (!named.includes('null') && Array.isArray(node['enum'])) node['enum'] = node['enum'].filter(each => each !== null);
  if (!named.includes('null') && node['default'] === null) delete node['default'];
  return node;
}

function flatUnion(node: JsonSchema, branches: readonly JsonSchema[], isResult: boolean): JsonSchema {
  const { anyOf: _any, oneOf: _one, ...rest } = node;
  const told = isResult ? branches : branches.filter(branch => branch.type !== 'null');
  if (told.length === 1) return flat({ ...told[0], ...rest }, isResult);
  const types = typesOf({ anyOf: told });
  return types ? { ...rest, type: types.length === 1 ? types[0]! : types, anyOf: told } : anything(rest, isResult);
}

const flatKeyword = (key: string, value: unknown, isResult: boolean): unknown => {
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonSchema>).map(([name, child]) => [name, flat(child, isResult)]),
    );
  if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(key))
    return (value as JsonSchema[]).map(child => flat(child, isResult));
  const isSchema = (key === 'items' || key === 'additionalProperties') && typeof value === 'object';
  return isSchema ? flat(value as JsonSchema, isResult) : value;
};

/** Bounds of safe integers, patterns behind a named format, and closed results: words without use to a caller. */
function isNoise(source: JsonSchema, key: string, value: unknown, isResult: boolean): boolean {
  if (key === 'pattern') return 'format' in source;
  if (key === 'additionalProperties') return value === false && isResult;
  return (key === 'minimum' || key === 'maximum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}

function anything(node: JsonSchema, isResult: boolean): JsonSchema {
  if (isResult) return { ...node, type: ANY };
  return { ...node, type: ANY, items: { type: ANY.filter(type => type !== 'array') } };
}

const text = (node: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(node).filter(([key]) => key === 'description' || key === 'title'));

/** Every name that a schema declares, at any depth; keys of maps are data and none of them. */
export function propertyNames(schema: z.ZodObject): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (!isObject(node)) return;
    if (isObject(node['properties'])) for (const name of Object.keys(node['properties'])) found.add(name);
    Object.values(node).forEach(walk);
  };
  walk(rawSchema(schema, 'output'));
  return found;
}
