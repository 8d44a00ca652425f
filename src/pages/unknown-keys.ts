import { nearest } from '../kernel/nearest.ts';
import type { FilterClause } from '../search/schema.ts';
import type { Catalog } from './catalog.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Issue } from './schema.ts';

/** Keys every page may have. */
const COMMON_KEYS = ['type', 'skill', 'id', 'at', 'title', 'description', 'lang', 'scenario', 'layer'];

/**
 * A filter that found nothing and asks for header keys which no skill declares and none of the pages found without it has:
 * each of them is told, with the key that was likely meant (pages contract, FilterClause). Asking for an absent key is no
 * mistake (E287).
 */
export function unknownKeys(clauses: readonly FilterClause[], catalog: Catalog, found: readonly JsonObject[]): Issue[] {
  const asked = new Set(clauses.flatMap(({ key, value }) => (value === null ? [] : [key])));
  const known = new Set(COMMON_KEYS);
  for (const { required, optional } of catalog.pages) for (const key of [...required, ...optional]) known.add(key);
  for (const header of found) for (const key of Object.keys(header)) known.add(key);
  return [...asked].filter(key => !known.has(key)).map(key => issueOf(key, nearest(key, known)));
}

function issueOf(key: string, meant: string | undefined): Issue {
  return {
    severity: 'warning',
    code: 'filter_key_unknown',
    location: `filter.${key}`,
    message: 'no page that answers this question has the key',
    ...(meant === undefined ? {} : { suggestion: `did you mean ${meant}?` }),
  };
}
