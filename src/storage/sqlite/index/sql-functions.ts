import { ownerKey } from '../../../auth/index.ts';
import { isObject } from '../../../kernel/json.ts';
import type { Db } from '../database.ts';

/** Functions that conditions on a header use; both take JSON text or NULL. */
export function addSqlFunctions(db: Db): void {
  const options = { deterministic: true };
  db.function('owner_key', options, (json: unknown) => (typeof json === 'string' ? ownerKey(JSON.parse(json)) : null));
  db.function('same_json', options, (a: unknown, b: unknown) =>
    typeof a === 'string' && typeof b === 'string' && same(JSON.parse(a), JSON.parse(b)) ? 1 : 0,
  );
}

/** Equality of JSON values; the order of keys does not matter. */
function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && same(a[key], b[key]));
}
