import type { AccessClass, IndexedPage, InstanceQuery } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import { clauseCondition, joined, onePerSlug, scopeCondition, type Condition } from './filter-sql.ts';
import { isLookedUp, ownerPlace, textOf, type Place } from './header-values.ts';
import { jsonPath } from './json-path.ts';
import { keptStatements } from './kept-statements.ts';
import { inOrder, type PresentRows } from './past-reads.ts';
import { indexedPage, PAGE_COLUMNS, type PageColumns } from './page-rows.ts';

/** By time, so few equal pages are fetched and sorted; more are met soon enough on a walk in order. */
const FEW = 500;

/** From so many rows of one time on the walk back takes one time after the other: sorting by page id would read all of each. */
const CROWD = 64;

/** The times of a skill from a cut on, newest first. */
const TIMES = `WITH RECURSIVE times (at) AS (
    SELECT max(t.at) FROM page t WHERE t.page_type = 'instance' AND t.skill = ? AND t.at IS NOT NULL AND t.at <= ?
    UNION ALL
    SELECT (SELECT max(t.at) FROM page t WHERE t.page_type = 'instance' AND t.skill = ? AND t.at IS NOT NULL AND t.at < times.at)
    FROM times WHERE times.at IS NOT NULL)`;

export interface InstanceReads {
  now(query: InstanceQuery): readonly IndexedPage[];
  /** The same as far as a page of now may be one of then; all of one slug. */
  readonly ofMoment: PresentRows;
}

/** Instances of one skill, in the order asked for, from behind a row on. `classes`: all that pages belong to. */
export function instanceReads(db: Db, classes: () => readonly AccessClass[]): InstanceReads {
  const statement = keptStatements<PageColumns>(db);
  const counted = db
    .prepare<[string, string, string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM header_value WHERE skill = ? AND key = ? AND value = ? LIMIT ${FEW})`,
    )
    .pluck();

  const rewritten = db
    .prepare<[string, string, string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM page p WHERE p.page_type = 'instance' AND p.first_at <> p.updated_at
         AND p.skill = ? AND p.first_at <= ? AND p.updated_at > ? LIMIT ${FEW})`,
    )
    .pluck();
  const newest = db
    .prepare<[string, string, string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM page p WHERE p.page_type = 'instance' AND p.skill = ? AND p.at = (
         SELECT max(t.at) FROM page t WHERE t.page_type = 'instance' AND t.skill = ? AND t.at IS NOT NULL AND t.at <= ?)
       LIMIT ${CROWD})`,
    )
    .pluck();
  const isCrowded = (skill: string, cut: string): boolean => newest.get(skill, skill, cut)! >= CROWD;
  const isRare = (skill: string, { key, value }: Place): boolean => counted.get(skill, key, value)! < FEW;

  /** The walk back in time, where many rows have one time: the index has these by page id. */
  function crowded(query: Asked, at: Condition, cut: string, limit: number): PageColumns[] {
    const { skill } = query;
    const passing = joined([at, conditionOf(query)], ' AND ');
    return statement(
      `${TIMES} SELECT ${PAGE_COLUMNS} FROM
         (SELECT p.page_no AS no FROM times CROSS JOIN page p INDEXED BY page_by_time ON p.at = times.at
          WHERE p.page_type = 'instance' AND p.skill = ? AND ${passing.sql} LIMIT ?)
       JOIN page p ON p.page_no = no ORDER BY p.at DESC, p.page_id`,
    ).all(skill, cut, skill, skill, ...passing.params, limit);
  }

  /** `at`: which rows the walk is about; `by`: rows come from the values of headers. */
  function rows(query: Asked, at: Condition, order: string, limit: number, by: Place | null): PageColumns[] {
    const passing = joined([at, conditionOf(query)], ' AND ');
    const from = by
      ? `header_value v CROSS JOIN page p ON p.page_no = v.page_no AND p.page_id = v.page_id
         WHERE v.skill = ? AND v.key = ? AND v.value = ?`
      : `page p ${query.moment === 'few' ? 'INDEXED BY page_rewritten' : ''} WHERE p.page_type = 'instance' AND p.skill = ?`;
    const params = [query.skill, ...(by ? [by.key, by.value] : []), ...passing.params, limit];
    if (order === 'p.page_id') {
      const column = by ? 'v.page_id' : order;
      return statement(`SELECT ${PAGE_COLUMNS} FROM ${from} AND ${passing.sql} ORDER BY ${column} LIMIT ?`).all(
        ...params,
      );
    }
    // Rows of one time are sorted by page id: only their numbers, for whole headers would have to be read and moved about.
    return statement(
      `SELECT ${PAGE_COLUMNS} FROM
         (SELECT p.page_no AS no FROM ${from} AND ${passing.sql} ORDER BY ${order} LIMIT ?)
       JOIN page p ON p.page_no = no ORDER BY ${order}`,
    ).all(...params);
  }

  function walk(query: Asked, by: Place | null): PageColumns[] {
    const { order, after, limit, asOf } = query;
    if (order === 'page_id') {
      const behind = { sql: `${by ? 'v' : 'p'}.page_id > ?`, params: [after?.pageId ?? ''] };
      return rows(query, behind, 'p.page_id', limit, by);
    }
    const rare = by && isRare(query.skill, by) ? by : null;
    const back = order === 'at_desc';
    const way = back ? descending(after, asOf) : ascending(after);
    const byTime = (): PageColumns[] =>
      back && !rare && query.moment !== 'few' && isCrowded(query.skill, way.from)
        ? crowded(query, way.at, way.from, limit)
        : rows(query, way.at, way.order, limit, rare);
    // Undated rows come last in both directions (E202), so they are a list of their own behind the dated ones.
    const dated = after?.at === null ? [] : byTime();
    const rest = limit - dated.length;
    const undated = { sql: 'p.at IS NULL AND p.page_id > ?', params: [after?.at === null ? after.pageId : ''] };
    return [...dated, ...(rest > 0 ? rows(query, undated, 'p.page_id', rest, rare) : [])];
  }

  function all(query: InstanceQuery, moment: Asked['moment']): readonly PageColumns[] {
    const mine = classes().filter(({ skill, pageType }) => skill === query.skill && pageType === 'instance');
    const scope = scopeAmong(query.scope, mine);
    if (!scope.all && scope.allowed.length + scope.owned.length === 0) return [];
    const asked = { ...query, scope, moment };
    if (moment === 'few') return walk(asked, null);
    const equal = equalPlace(query);
    const owned = equal ? null : ownerPlaces(scope);
    if (!owned || (query.order !== 'page_id' && !owned.every(place => isRare(query.skill, place)))) {
      return walk(asked, equal);
    }
    const found = owned.flatMap(place => walk(asked, place).map(row => ({ row, at: row.at, pageId: row.page_id })));
    return found
      .toSorted(inOrder(query.order))
      .slice(0, query.limit)
      .map(({ row }) => row);
  }

  return {
    now: query => all(query, null).map(indexedPage),
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

interface Walk {
  /** Where it begins. */
  readonly from: string;
  readonly order: string;
  readonly at: Condition;
}

const ascending = (after: InstanceQuery['after']): Walk => ({
  from: after?.at ?? '',
  order: 'p.at, p.page_id',
  at: { sql: 'p.at IS NOT NULL AND (p.at, p.page_id) > (?, ?)', params: [after?.at ?? '', after?.pageId ?? ''] },
});

/** `cut`: nothing later counts, so the walk begins there. */
function descending(after: InstanceQuery['after'], cut: string | null): Walk {
  // '~' sorts behind every time.
  const last = after?.at ?? '~';
  const from = cut !== null && cut < last ? cut : last;
  return {
    from,
    order: 'p.at DESC, p.page_id',
    at: {
      sql: 'p.at IS NOT NULL AND p.at <= ? AND (p.at < ? OR p.page_id > ?)',
      params: [from, last, after?.pageId ?? ''],
    },
  };
}
