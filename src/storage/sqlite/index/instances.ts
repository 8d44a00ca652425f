import type { AccessClass, IndexedPage, InstanceQuery } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import { clauseCondition, joined, onePerSlug, scopeCondition, type Condition } from './filter-sql.ts';
import { isLookedUp, textOf } from './header-values.ts';
import { jsonPath } from './json-path.ts';
import { keptStatements } from './kept-statements.ts';
import { indexedPage, PAGE_COLUMNS, type PageColumns } from './page-rows.ts';

/** By time, so few equal pages are fetched and sorted; more are met soon enough on a walk in order. */
const FEW = 500;

/** Instances of one skill, in the order asked for, from behind a row on. `classes`: all that pages belong to. */
export function instanceReads(
  db: Db,
  classes: () => readonly AccessClass[],
): (query: InstanceQuery) => readonly IndexedPage[] {
  const statement = keptStatements<PageColumns>(db);
  const counted = db
    .prepare<[string, string, string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM header_value WHERE skill = ? AND key = ? AND value = ? LIMIT ${FEW})`,
    )
    .pluck();

  /** `place`: where the walk stands and which rows it is about; `driven`: rows come from the values of headers. */
  function rows(query: InstanceQuery, place: Condition, order: string, limit: number, driven: Looked | null) {
    const passing = joined([place, conditionOf(query)], ' AND ');
    if (driven) {
      const { key, value } = driven;
      return statement(
        `SELECT ${PAGE_COLUMNS} FROM header_value v CROSS JOIN page p ON p.page_no = v.page_no AND p.page_id = v.page_id
         WHERE v.skill = ? AND v.key = ? AND v.value = ? AND ${passing.sql}
         ORDER BY ${order.replace('p.page_id', 'v.page_id')} LIMIT ?`,
      ).all(query.skill, key, value, ...passing.params, limit);
    }
    return statement(
      `SELECT ${PAGE_COLUMNS} FROM page p WHERE p.page_type = 'instance' AND p.skill = ? AND ${passing.sql}
       ORDER BY ${order} LIMIT ?`,
    ).all(query.skill, ...passing.params, limit);
  }

  function byTime(query: InstanceQuery): PageColumns[] {
    const { order, after, limit } = query;
    const looked = lookedUp(query);
    const driven = looked && counted.get(query.skill, looked.key, looked.value)! < FEW ? looked : null;
    const ways = { at_asc: ASCENDING, at_desc: DESCENDING };
    const way = ways[order === 'at_asc' ? 'at_asc' : 'at_desc'];
    // Undated rows come last in both directions (E202), so they are a list of their own behind the dated ones.
    const dated = after?.at === null ? [] : rows(query, way.place(after), way.order, limit, driven);
    const rest = limit - dated.length;
    const undated = { sql: 'p.at IS NULL AND p.page_id > ?', params: [after?.at === null ? after.pageId : ''] };
    return [...dated, ...(rest > 0 ? rows(query, undated, 'p.page_id', rest, driven) : [])];
  }

  return query => {
    const mine = classes().filter(({ skill, pageType }) => skill === query.skill && pageType === 'instance');
    const narrowed = { ...query, scope: scopeAmong(query.scope, mine) };
    if (!narrowed.scope.all && narrowed.scope.allowed.length + narrowed.scope.owned.length === 0) return [];
    if (query.order !== 'page_id') return byTime(narrowed).map(indexedPage);
    const looked = lookedUp(query);
    const behind = {
      sql: `${looked ? 'v' : 'p'}.page_id > ?`,
      params: [query.after?.pageId ?? ''],
    };
    return rows(narrowed, behind, 'p.page_id', query.limit, looked).map(indexedPage);
  };
}

interface Looked {
  readonly key: string;
  readonly value: string;
}

/** A header equality of the query that the table of values knows. */
function lookedUp({ equals, clauses }: InstanceQuery): Looked | null {
  const plain = equals && !equals.key.includes('.') ? [equals] : [];
  const equal = clauses.flatMap(({ key, operator, value }): Looked[] => {
    const text = operator === 'equals' ? textOf(value) : null;
    return text === null ? [] : [{ key, value: text }];
  });
  return [...plain, ...equal].find(({ key, value }) => isLookedUp(key, value)) ?? null;
}

/** What the scope says about the classes of one skill. */
function scopeAmong(scope: InstanceQuery['scope'], classes: readonly AccessClass[]): InstanceQuery['scope'] {
  if (scope.all) return scope;
  const ids = new Set(classes.map(({ id }) => id));
  const allowed = scope.allowed.filter(id => ids.has(id));
  const owned = scope.ownerKeys.length > 0 ? scope.owned.filter(({ accessClass }) => ids.has(accessClass)) : [];
  return { ...scope, allowed, owned, all: allowed.length === ids.size && ids.size > 0 };
}

function conditionOf({ scope, asOf, scenario, equals, clauses }: InstanceQuery): Condition {
  const parts = [scopeCondition(scope)];
  if (scenario === null) parts.push({ sql: 'p.scenario IS NULL', params: [] });
  else {
    parts.push({ sql: '(p.scenario IS NULL OR p.scenario = ?)', params: [scenario] });
    parts.push(onePerSlug(scenario, asOf, scope));
  }
  if (asOf !== null) parts.push(bornBy(asOf));
  if (equals) parts.push(textEquals(jsonPath(...equals.key.split('.')), equals.value));
  return joined([...parts, ...clauses.map(clauseCondition)], ' AND ');
}

/** Born by then as it is now, or written before and after it: what it was then is for the page store to say. */
const bornBy = (asOf: string): Condition => ({
  sql: '(p.at IS NULL OR p.at <= ? OR (p.first_at <= ? AND p.updated_at > ?))',
  params: [asOf, asOf, asOf],
});

/** E206: a text as it is, a number or flag by its JSON text, null and absence never. */
const textEquals = (path: string, value: string): Condition => ({
  sql: `CASE json_type(p.frontmatter, ?)
    WHEN 'text' THEN json_extract(p.frontmatter, ?) WHEN 'null' THEN NULL ELSE p.frontmatter -> ? END = ?`,
  params: [path, path, path, value],
});

const ASCENDING = {
  order: 'p.at, p.page_id',
  place: (after: InstanceQuery['after']): Condition => ({
    sql: 'p.at IS NOT NULL AND (p.at, p.page_id) > (?, ?)',
    params: [after?.at ?? '', after?.pageId ?? ''],
  }),
};
const DESCENDING = {
  order: 'p.at DESC, p.page_id',
  // '~' sorts behind every time.
  place: (after: InstanceQuery['after']): Condition => ({
    sql: 'p.at IS NOT NULL AND p.at <= ? AND (p.at < ? OR p.page_id > ?)',
    params: [after?.at ?? '~', after?.at ?? '~', after?.pageId ?? ''],
  }),
};
