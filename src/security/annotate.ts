import { isObject } from '../kernel/json.ts';
import { SIGNALS } from './schema.ts';
import { isKnownKey, isServerText } from './server-fields.ts';
import { signalsIn } from './signals.ts';

/**
 * A result with `untrusted: true` on every object that holds foreign text and `signals` on every record with a ref (contract 9).
 * The rest stays as it is; the given value is not changed.
 */
export const annotateForeign = (result: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  annotated(result) as Record<string, unknown>;

function annotated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(annotated);
  if (!isObject(value)) return value;
  const inside = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, annotated(child)]));
  return {
    ...inside,
    ...(holdsForeign(value) ? { untrusted: true } : {}),
    ...(isRecord(value) ? { signals: signalsOf(value) } : {}),
  };
}

const isRecord = (value: Record<string, unknown>): boolean =>
  typeof value['ref'] === 'string' && isServerText('ref', value['ref']);

/** Foreign text of the object itself, lists of text included; what lies deeper is marked there. */
const holdsForeign = (value: Record<string, unknown>): boolean =>
  Object.entries(value).some(
    ([key, child]) =>
      !isKnownKey(key) || [child].flat().some(one => typeof one === 'string' && !isServerText(key, one)),
  );

function signalsOf(value: Record<string, unknown>): string[] {
  const found = new Set([...foreignIn(value)].flatMap(signalsIn));
  return SIGNALS.filter(signal => found.has(signal));
}

function* foreignIn(value: unknown, key = ''): Generator<string> {
  if (typeof value === 'string') {
    if (!isServerText(key, value)) yield value;
  } else if (Array.isArray(value)) {
    for (const child of value) yield* foreignIn(child, key);
  } else if (isObject(value)) {
    for (const [name, child] of Object.entries(value)) {
      if (!isKnownKey(name)) yield name;
      yield* foreignIn(child, name);
    }
  }
}
