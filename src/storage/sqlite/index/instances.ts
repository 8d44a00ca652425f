import type { AccessClass, IndexedPage, InstanceQuery } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import { clauseCondition, joined, onePerSlug, scopeCondition, type Condition } from './filter-sql.ts';
import { isLookedUp, ownerPlace, textOf, type Place } from './header-values.ts';
import { jsonPath } from './json-path.ts';
import { keptStatements } from './kept-statements.ts';
import { inOrder, type PresentRows } from './past-reads.ts';
import {
  ascending,
  descending,
  pagesOf,
  pagesWith,
  rewrittenOf,
  undatedBehind,
  type RowSource,
  type Walk,
} from './row-source.ts';
import { indexedPage, PAGE_COLUMNS, pageStatement, type PageColumns } from './page-rows.ts';

/** So few pages of a moment are fetched and sorted; more are met soon enough on a walk in order. */
const FEW = 500;

/** From so many rows of one time on the walk back takes one time after the other: sorting by page id would read all of each. */
const CROWD = 64;

/** The times of these rows from a cut on, newest first. */
const timesOf = ({ others }: RowSource): string => `WITH RECURSIVE times (at) AS (
    SELECT (SELECT max(t.at) FROM ${others} AND t.at <= ?)
    UNION ALL
    SELECT (SELECT max(t.at) FROM ${others} AND t.at < times.at) FROM times WHERE times.at IS NOT NULL)`;

export interface InstanceReads {
  now(query: InstanceQuery): readonly IndexedPage[];
  /** The same as far as a page of now may be one of then; all of one slug. */
  readonly ofMoment: PresentRows;
}

/** Instances of one skill, in the order asked for, from behind a row on. `classes`: all that pages belong to. */
export function instanceReads(db: Db, classes: () => readonly AccessClass[]): InstanceReads {
  const statement = keptStatements<PageColumns>(db, pageStatement);
  const rewritten = db
    .prepare<[string, string, string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM page p WHERE p.page_type = 'instance' AND p.first_at <> p.updated_at
         AND p.skill = ? AND p.first_at <= ? AND p.updated_at > ? LIMIT ${FEW})`,
    )
    .pluck();
  const counts = keptStatements<{ count: number }>(db);
  const isCrowded = ({ others, params }: RowSource, cut: string): boolean =>
    counts(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${others} AND t.at = (
         SELECT max(t.at) FROM ${others} AND t.at <= ?) LIMIT ${CROWD})`,
    ).get(...params, ...params, cut)!.count >= CROWD;

  /**
   * The walk back in time, where many rows have one time: the index has these by page id. CROSS: the planner would rather read all
   * pages than look up those few.
   */
  function crowded(query: Asked, source: RowSource, { at, from }: Walk, limit: number): IndexedPage[] {
    const passing = joined([at, conditionOf(query)], ' AND ');
    const { name, where, params } = source;
    return statement(
      `${timesOf(source)} SELECT ${PAGE_COLUMNS} FROM
         (SELECT p.page_no AS no FROM times CROSS JOIN ${source.byTime}
          WHERE ${name}.at = times.at AND ${where} AND ${passing.sql} LIMIT ?)
       CROSS JOIN page p ON p.page_no = no ORDER BY p.at DESC, p.page_id`,
    )
      .all(...params, from, ...params, ...params, ...passing.params, limit)
      .map(indexedPage);
  }

  function byId(query: Asked, source: RowSource, behind: Condition, limit: number): IndexedPage[] {
    const passing = joined([behind, conditionOf(query)], ' AND ');
    return statement(
      `SELECT ${PAGE_COLUMNS} FROM ${source.byId} WHERE ${source.where} AND ${passing.sql}
       ORDER BY ${source.name}.page_id LIMIT ?`,
    )
      .all(...source.params, ...passing.params, limit)
      .map(indexedPage);
  }

  /** Rows of one time are sorted by page id: only their numbers, for whole headers would have to be read and moved about. */
  function byTime(query: Asked, source: RowSource, { at, order }: Walk, limit: number): IndexedPage[] {
    const passing = joined([at, conditionOf(query)], ' AND ');
    return statement(
      `SELECT ${PAGE_COLUMNS} FROM
         (SELECT p.page_no AS no FROM ${source.byTime} WHERE ${source.where} AND ${passing.sql} ORDER BY ${order} LIMIT ?)
       CROSS JOIN page p ON p.page_no = no ORDER BY ${order.replaceAll('v.', 'p.')}`,
    )
      .all(...source.params, ...passing.params, limit)
      .map(indexedPage);
  }

  function walk(query: Asked, source: RowSource): IndexedPage[] {
    const { order, after, limit, asOf } = query;
    if (order === 'page_id') {
      return byId(query, source, { sql: `${source.name}.page_id > ?`, params: [after?.pageId ?? ''] }, limit);
    }
    const back = order === 'at_desc';
    const way = back ? descending(source, after, asOf) : ascending(source, after);
    const walked = (): IndexedPage[] =>
      (back && query.moment !== 'few' && isCrowded(source, way.from) ? crowded : byTime)(query, source, way, limit);
    // Undated rows come last in both directions (E202), so they are a list of their own behind the dated ones.
    const dated = after?.at === null ? [] : walked();
    const rest = limit - dated.length;
    const undated = undatedBehind(source, after?.at === null ? after.pageId : '');
    return [...dated, ...(rest > 0 ? byId(query, source, undated, rest) : [])];
  }

  function all(query: InstanceQuery, moment: Asked['moment']): readonly IndexedPage[] {
    const mine = classes().filter(({ skill, pageType }) => skill === query.skill && pageType === 'instance');
    const scope = scopeAmong(query.scope, mine);
    if (!scope.all && scope.allowed.length + scope.owned.length === 0) return [];
    const asked = { ...query, scope, moment };
    if (moment === 'few') return walk(asked, rewrittenOf(query.skill));
    const equal = equalPlace(query);
    if (equal) return walk(asked, pagesWith(query.skill, equal));
    const owned = ownerPlaces(scope);
    if (!owned) return walk(asked, pagesOf(query.skill));
    const sources = owned.map(place => pagesWith(query.skill, place));
    return sources
      .flatMap(source => walk(asked, source))
      .toSorted(inOrder(query.order))
      .slice(0, query.limit);
  }

  return {
    now: query => all(query, null),
    ofMoment(query, again) {
      if (!again) return all(query, 'present');
      const count = rewritten.get(query.skill, query.asOf!, query.asOf!)!;
      if (count === 0) return [];
      return all({ ...query, equals: null, clauses: [] }, count < FEW ? 'few' : 'rewritten');
    },
  };
}

interface Asked extends InstanceQuery {
  /** For a list of a moment: rows as they say now, or all that were written before and after it, which may be few. */
  readonly moment: 'present' | 'rewritten' | 'few' | null;
}

/** A header equality of the query that the table of values knows. */
function equalPlace({ equals, clauses }: InstanceQuery): Place | null {
  const plain = equals && !equals.key.includes('.') ? [equals] : [];
  const equal = clauses.flatMap(({ key, operator, value }): Place[] => {
    const text = operator === 'equals' ? textOf(value) : null;
    return text === null ? [] : [{ key, value: text }];
  });
  return [...plain, ...equal].find(isLookedUp) ?? null;
}

/** Where all pages stand that the scope lets through, when it does so by their owners alone. */
function ownerPlaces({ all, allowed, owned, ownerKeys }: InstanceQuery['scope']): Place[] | null {
  if (all || allowed.length > 0) return null;
  const fields = [...new Set(owned.map(({ ownerField }) => ownerField))];
  const places = fields.length === 1 ? ownerKeys.map(owner => ownerPlace(fields[0]!, owner)) : [];
  return places.length > 0 && places.every(isLookedUp) ? places : null;
}

/** What the scope says about the classes of one skill. */
function scopeAmong(scope: InstanceQuery['scope'], classes: readonly AccessClass[]): InstanceQuery['scope'] {
  if (scope.all) return scope;
  const ids = new Set(classes.map(({ id }) => id));
  const allowed = scope.allowed.filter(id => ids.has(id));
  const owned = scope.ownerKeys.length > 0 ? scope.owned.filter(({ accessClass }) => ids.has(accessClass)) : [];
  return { ...scope, allowed, owned, all: allowed.length === ids.size && ids.size > 0 };
}

function conditionOf({ scope, asOf, scenario, equals, clauses, moment }: Asked): Condition {
  const parts = [scopeCondition(scope)];
  if (scenario === null) parts.push({ sql: 'p.scenario IS NULL', params: [] });
  else {
    parts.push({ sql: '(p.scenario IS NULL OR p.scenario = ?)', params: [scenario] });
    if (moment === null) parts.push(onePerSlug(scenario, asOf, scope));
  }
  if (asOf !== null) parts.push(bornBy(asOf));
  if (asOf !== null && (moment === 'rewritten' || moment === 'few')) parts.push(writtenAround(asOf, moment));
  if (equals) parts.push(textEquals(jsonPath(...equals.key.split('.')), equals.value));
  return joined([...parts, ...clauses.map(clauseCondition)], ' AND ');
}

const bornBy = (asOf: string): Condition => ({ sql: '(p.at IS NULL OR p.at <= ?)', params: [asOf] });

/** Written by then and after it: what it was is for the page store to say. */
const writtenAround = (asOf: string, how: 'rewritten' | 'few'): Condition => ({
  sql: `(p.first_at <= ? AND p.updated_at > ?${how === 'few' ? ' AND p.first_at <> p.updated_at' : ''})`,
  params: [asOf, asOf],
});

/** E206: a text as it is, a number or flag by its JSON text, null and absence never. */
const textEquals = (path: string, value: string): Condition => ({
  sql: `CASE json_type(p.frontmatter, ?)
    WHEN 'text' THEN json_extract(p.frontmatter, ?) WHEN 'null' THEN NULL ELSE p.frontmatter -> ? END = ?`,
  params: [path, path, path, value],
});
