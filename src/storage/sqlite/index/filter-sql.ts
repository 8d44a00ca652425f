import type { Json } from '../../../kernel/json.ts';
import type { LaneFilter } from '../../../search/ports.ts';
import type { FilterClause } from '../../../search/schema.ts';
import { jsonPath } from './json-path.ts';
import { PACK_RANK } from './page-rows.ts';

/** SQL over `page p` with positional parameters. Equal shapes give equal SQL, so that statements can be kept. */
export interface Condition {
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

/** Everything that narrows a lane, as one condition on the page. */
export function laneCondition(filter: LaneFilter): Condition {
  const parts: Condition[] = [scopeCondition(filter.scope)];
  if (filter.pageType !== null) parts.push({ sql: 'p.page_type = ?', params: [filter.pageType] });
  if (filter.skill !== null) parts.push({ sql: 'p.skill = ?', params: [filter.skill] });
  if (filter.asOf !== null) parts.push({ sql: '(p.at IS NULL OR p.at <= ?)', params: [filter.asOf] });
  if (filter.scenario === null) parts.push({ sql: 'p.scenario IS NULL', params: [] });
  else {
    parts.push({ sql: '(p.scenario IS NULL OR p.scenario = ?)', params: [filter.scenario] });
    parts.push(onePerSlug(filter.scenario, filter.asOf, filter.scope));
  }
  parts.push(...filter.clauses.map(clauseCondition));
  return joined(parts, ' AND ');
}

/** The caller's rights: whole classes, and pages of other classes whose owner is the caller. */
export function scopeCondition({ all, allowed, owned, ownerKeys }: LaneFilter['scope']): Condition {
  if (all) return { sql: '1', params: [] };
  const classes = new Map<string, number[]>();
  for (const { accessClass, ownerField } of owned) {
    classes.set(ownerField, [...(classes.get(ownerField) ?? []), accessClass]);
  }
  const ways: Condition[] = [
    { sql: 'p.access_class IN (SELECT value FROM json_each(?))', params: [JSON.stringify(allowed)] },
    ...[...classes].map(([field, ids]) => ({
      sql: `(p.access_class IN (SELECT value FROM json_each(?))
        AND owner_key(p.frontmatter -> ?) IN (SELECT value FROM json_each(?)))`,
      params: [JSON.stringify(ids), jsonPath(field), JSON.stringify(ownerKeys)],
    })),
  ];
  return joined(ways, ' OR ');
}

/**
 * Under an overlay one page stands for a slug: the overlay's, then the tenant's, then the first by id (E211). A base page that
 * the caller may not read stands in nobody's way; an overlay decides for its slug even where it is hidden.
 */
export function onePerSlug(scenario: string, asOf: string | null, scope: LaneFilter['scope']): Condition {
  const readable = scopeCondition(scope);
  return {
    sql: `(p.slug IS NULL OR NOT EXISTS (
      SELECT 1 FROM page o
      WHERE o.slug = p.slug AND o.skill = p.skill AND o.page_type = p.page_type
        AND (o.scenario = ? OR (o.scenario IS NULL AND ${readable.sql.replaceAll('p.', 'o.')}))
        ${asOf === null ? '' : 'AND (o.at IS NULL OR o.at <= ?)'}
        AND (o.scenario IS NULL, ${PACK_RANK.replaceAll('p.', 'o.')}, o.page_id)
          < (p.scenario IS NULL, ${PACK_RANK}, p.page_id)))`,
    params: [scenario, ...readable.params, ...(asOf === null ? [] : [asOf])],
  };
}

const COMPARISONS = { '>=': '>=', '<=': '<=', '>': '>', '<': '<' } as const;

/** E285-E292. A missing field matches nothing but the plain value null. */
export function clauseCondition({ key, operator, value }: FilterClause): Condition {
  const path = jsonPath(key);
  if (operator === 'equals') return equals(path, value);
  if (operator === 'not') {
    const same = equals(path, value);
    return {
      sql: `(json_type(p.frontmatter, ?) IS NOT NULL AND NOT ${same.sql})`,
      params: [path, ...same.params],
    };
  }
  if (operator === 'in') {
    const ways = Array.isArray(value) ? value.map(each => present(path, equals(path, each))) : [];
    return joined([{ sql: '0', params: [] }, ...ways], ' OR ');
  }
  if (typeof value !== 'number' && typeof value !== 'string') return { sql: '0', params: [] };
  return {
    sql: `(coalesce(json_type(p.frontmatter, ?), '') IN (${typeList(value)})
      AND json_extract(p.frontmatter, ?) ${COMPARISONS[operator]} ?)`,
    params: [path, path, value],
  };
}

const present = (path: string, condition: Condition): Condition => ({
  sql: `(json_type(p.frontmatter, ?) IS NOT NULL AND ${condition.sql})`,
  params: [path, ...condition.params],
});

const typeList = (value: number | string): string => (typeof value === 'string' ? `'text'` : `'integer', 'real'`);

/** Never NULL, so that it can be negated. */
function equals(path: string, value: Json): Condition {
  if (value === null) return { sql: `(coalesce(json_type(p.frontmatter, ?), 'null') = 'null')`, params: [path] };
  if (typeof value === 'boolean') {
    return { sql: `(coalesce(json_type(p.frontmatter, ?), '') = ?)`, params: [path, String(value)] };
  }
  if (typeof value === 'object') {
    return { sql: '(same_json(p.frontmatter -> ?, ?) = 1)', params: [path, JSON.stringify(value)] };
  }
  return {
    sql: `(coalesce(json_type(p.frontmatter, ?), '') IN (${typeList(value)}) AND json_extract(p.frontmatter, ?) = ?)`,
    params: [path, path, value],
  };
}

/** At least one part is needed. */
export function joined(parts: readonly Condition[], word: ' AND ' | ' OR '): Condition {
  return { sql: `(${parts.map(part => part.sql).join(word)})`, params: parts.flatMap(part => part.params) };
}
