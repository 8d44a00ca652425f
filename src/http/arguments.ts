import type { z } from 'zod';
import { Failure } from '../kernel/failure.ts';
import { isObject, type Json } from '../kernel/json.ts';
import type { BoundOp } from '../kernel/op.ts';
import { coercion, type Coerce } from './coerce.ts';
import { nearest } from '../kernel/nearest.ts';
import { rawSchema, typesOf, type JsonSchema } from './wire-schema.ts';

/**
 * Checks the arguments of one op. Unknown keys are left out and named in a note (E010), other spellings of a key are
 * mapped, null stands for an absent key where the schema has no null, and strings are coerced by declared type (M05).
 * What the schema refuses is `invalid_params` with the place (E009).
 */
export type ReadArguments = (raw: unknown, note: (key: string, value: Json) => void) => Record<string, unknown>;

interface Key {
  readonly name: string;
  readonly coerce: Coerce;
  readonly admitsNull: boolean;
}

export function argumentReader(op: BoundOp): ReadArguments {
  const keys = keysOf(op);
  const names = Object.keys(op.input.shape);
  return (raw, note) => {
    const given = wholeArguments(op.name, raw);
    const input: Record<string, unknown> = {};
    const ignored: string[] = [];
    const coerced: string[] = [];
    for (const name of Object.keys(given)) {
      const key = keys.get(name);
      if (!key || (key.name !== name && Object.hasOwn(given, key.name))) {
        ignored.push(name);
        continue;
      }
      const value = given[name];
      if (value === null && !key.admitsNull) continue;
      input[key.name] = key.coerce(value);
      if (input[key.name] !== value) coerced.push(name);
    }
    if (ignored.length > 0) noteIgnored(ignored, names, note);
    if (coerced.length > 0) note('coerced_arguments', coerced);
    return checked(op, input);
  };
}

function keysOf(op: BoundOp): ReadonlyMap<string, Key> {
  const properties = (rawSchema(op.input, 'input')['properties'] ?? {}) as Record<string, JsonSchema>;
  const keys = new Map(
    Object.entries(properties).map(([name, node]): [string, Key] => [
      name,
      { name, coerce: coercion(node), admitsNull: typesOf(node)?.includes('null') ?? true },
    ]),
  );
  for (const [alias, name] of Object.entries(op.argumentAliases ?? {})) {
    const key = keys.get(name);
    if (key) keys.set(alias, key);
  }
  return keys;
}

/** The arguments as a mapping. Some models send the whole of it as one string (M05). */
function wholeArguments(tool: string, raw: unknown): Record<string, unknown> {
  if (raw === undefined || raw === null) return {};
  if (isObject(raw)) return raw;
  try {
    const parsed: unknown = typeof raw === 'string' ? JSON.parse(raw) : undefined;
    if (isObject(parsed)) return parsed;
  } catch {
    // Refused below, like everything else that is no mapping.
  }
  throw new Failure('invalid_params', `${tool}: arguments: expected an object`, { place: 'arguments' });
}

const MAX_NAMED = 20;

function noteIgnored(ignored: readonly string[], known: readonly string[], note: (key: string, value: Json) => void) {
  const named = ignored.slice(0, MAX_NAMED).map(name => name.slice(0, 64));
  note('ignored_arguments', named);
  const meant = named.flatMap(name => {
    const close = nearest(name, known);
    return close && !ignored.includes(close) ? [[name, close] as const] : [];
  });
  if (meant.length > 0) note('did_you_mean', Object.fromEntries(meant));
}

function checked(op: BoundOp, input: Record<string, unknown>): Record<string, unknown> {
  const result = validated(op, input);
  if (result.success) return result.data;
  const places = result.error.issues.slice(0, MAX_NAMED).map(issue => ({
    place: issue.path.map(String).join('.') || 'arguments',
    message: reason(issue, input),
  }));
  const [first] = places;
  throw new Failure('invalid_params', `${op.name}: ${first!.place}: ${first!.message}`, {
    place: first!.place,
    argument: first!.place.split('.')[0]!,
    ...(places.length > 1 ? { issues: places } : {}),
  });
}

function validated(op: BoundOp, input: Record<string, unknown>): z.ZodSafeParseResult<Record<string, unknown>> {
  try {
    return op.input.safeParse(input);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new Failure('invalid_params', `${op.name}: arguments: nested too deeply`, { place: 'arguments' });
  }
}

function reason(issue: z.core.$ZodIssue, input: Record<string, unknown>): string {
  const [key, ...deeper] = issue.path;
  const absent = deeper.length === 0 && typeof key === 'string' && !Object.hasOwn(input, key);
  return absent ? 'required' : issue.message;
}
