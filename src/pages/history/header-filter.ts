import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { FilterClause } from '../../search/schema.ts';
import type { InstanceQuery } from '../ports.ts';

/** Whether a past header passes what the index asked of the newest one (E206, E285-E292). */
export function headerPasses(
  header: JsonObject,
  { equals, clauses }: Pick<InstanceQuery, 'equals' | 'clauses'>,
): boolean {
  if (equals && textOf(below(header, equals.key.split('.'))) !== equals.value) return false;
  return clauses.every(clause => holds(own(header, clause.key), clause));
}

function below(header: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = header;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return value;
}

const own = (header: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(header, key) ? header[key] : undefined;

const textOf = (value: Json | undefined): string | null => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function holds(value: Json | undefined, { operator, value: wanted }: FilterClause): boolean {
  if (operator === 'equals') return same(value ?? null, wanted);
  if (value === undefined) return false;
  if (operator === 'not') return !same(value, wanted);
  if (operator === 'in') return Array.isArray(wanted) && wanted.some(each => same(value, each));
  if (typeof value === 'number' && typeof wanted === 'number') return compared(value, operator, wanted);
  return typeof value === 'string' && typeof wanted === 'string' && compared(value, operator, wanted);
}

function compared<T extends number | string>(a: T, operator: '>=' | '<=' | '>' | '<', b: T): boolean {
  if (operator === '>=') return a >= b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a < b;
}

/** Equality of JSON values; the order of keys does not matter. */
function same(a: Json, b: Json): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]!));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && same(a[key]!, b[key]!));
}
