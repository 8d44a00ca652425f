import { branchesOf, typesOf, type JsonSchema } from './wire-schema.ts';

/** Turns a value that a model sent as text into the declared type, or returns the very same value. */
export type Coerce = (value: unknown) => unknown;

const unchanged: Coerce = value => value;

/**
 * Reads off a schema which strings may stand for something else: only where no string is admitted, so that a text is
 * never parsed (M05, M06). What does not fit stays as it is, for the schema to refuse.
 */
export function coercion(node: JsonSchema): Coerce {
  const types = typesOf(node);
  if (!types) return unchanged;
  const inside = insideOf(node);
  if (types.includes('string') && inside === unchanged) return unchanged;
  if (types.includes('string')) return value => (typeof value === 'string' ? value : inside(value));
  return value => inside(typeof value === 'string' ? fromText(value, types) : value);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function fromText(value: string, types: readonly string[]): unknown {
  const text = value.trim();
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(text)) {
    const number = Number(text);
    if (Number.isFinite(number) && (types.includes('number') || Number.isInteger(number))) return number;
  }
  const word = text.toLowerCase();
  if (types.includes('boolean') && (word === 'true' || word === 'false')) return word === 'true';
  if (types.includes('null') && word === 'null') return null;
  if (types.includes('array') && text.startsWith('[')) return parsed(text, value);
  if (types.includes('object') && text.startsWith('{')) return parsed(text, value);
  return value;
}

function parsed(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

function insideOf(node: JsonSchema): Coerce {
  const shapes = (branchesOf(node) ?? [node]).filter(shape => 'properties' in shape || 'items' in shape);
  const shape = shapes.length === 1 ? shapes[0]! : undefined;
  if (!shape) return unchanged;
  const items = typeof shape['items'] === 'object' ? coercion(shape['items'] as JsonSchema) : unchanged;
  const properties = Object.entries((shape['properties'] ?? {}) as Record<string, JsonSchema>)
    .map(([name, child]) => [name, coercion(child)] as const)
    .filter(([, coerce]) => coerce !== unchanged);
  if (items === unchanged && properties.length === 0) return unchanged;
  return value => {
    if (Array.isArray(value)) return mapped(value, items);
    return typeof value === 'object' && value !== null ? replaced(value as Record<string, unknown>, properties) : value;
  };
}

function mapped(values: readonly unknown[], coerce: Coerce): readonly unknown[] {
  const next = values.map(coerce);
  return next.some((value, index) => value !== values[index]) ? next : values;
}

function replaced(
  value: Record<string, unknown>,
  properties: readonly (readonly [string, Coerce])[],
): Record<string, unknown> {
  let next = value;
  for (const [name, coerce] of properties) {
    if (!Object.hasOwn(value, name)) continue;
    const child = coerce(value[name]);
    if (child !== value[name]) next = { ...next, [name]: child };
  }
  return next;
}
