import type { InstanceQuery } from '../../../pages/ports.ts';
import type { Condition } from './filter-sql.ts';
import type { Place } from './header-values.ts';

/** Where a walk takes its rows from: the pages of a skill, or those of one value of a header key. Positional parameters. */
export interface RowSource {
  /** The table whose order is followed. */
  readonly name: 'p' | 'v';
  /** FROM up to the first condition, by page id and by time. */
  readonly byId: string;
  readonly byTime: string;
  /** The same rows under the name t, for what comes before them. */
  readonly others: string;
  readonly where: string;
  readonly params: readonly string[];
}

export const pagesOf = (skill: string): RowSource => ({
  name: 'p',
  byId: 'page p',
  byTime: 'page p INDEXED BY page_by_time',
  others: `page t WHERE t.page_type = 'instance' AND t.skill = ? AND t.at IS NOT NULL`,
  where: `p.page_type = 'instance' AND p.skill = ?`,
  params: [skill],
});

/** Pages that a list of a moment has to look at, when they are few. */
export const rewrittenOf = (skill: string): RowSource => ({
  ...pagesOf(skill),
  byId: 'page p INDEXED BY page_rewritten',
  byTime: 'page p INDEXED BY page_rewritten',
});

const PAGE = 'CROSS JOIN page p ON p.page_no = v.page_no AND p.page_id = v.page_id';

export const pagesWith = (skill: string, { key, value }: Place): RowSource => ({
  name: 'v',
  byId: `header_value v ${PAGE}`,
  byTime: `header_value v INDEXED BY header_value_by_time ${PAGE}`,
  others: `header_value t WHERE t.skill = ? AND t.key = ? AND t.value = ? AND t.at > ''`,
  where: 'v.skill = ? AND v.key = ? AND v.value = ?',
  params: [skill, key, value],
});

export interface Walk {
  /** Where it begins. */
  readonly from: string;
  readonly order: string;
  readonly at: Condition;
}

const dated = ({ name }: RowSource): string => (name === 'v' ? `v.at > ''` : 'p.at IS NOT NULL');

export function undatedBehind({ name }: RowSource, pageId: string): Condition {
  const undated = name === 'v' ? `v.at = ''` : 'p.at IS NULL';
  return { sql: `${undated} AND ${name}.page_id > ?`, params: [pageId] };
}

export function ascending(source: RowSource, after: InstanceQuery['after']): Walk {
  const { name } = source;
  const behind = `(${name}.at, ${name}.page_id) > (?, ?)`;
  return {
    from: after?.at ?? '',
    order: `${name}.at, ${name}.page_id`,
    // Beside a second bound the one behind the cursor might be the one that the index is not entered by.
    at:
      name === 'v' && after === null
        ? { sql: dated(source), params: [] }
        : {
            sql: name === 'v' ? behind : `${dated(source)} AND ${behind}`,
            params: [after?.at ?? '', after?.pageId ?? ''],
          },
  };
}

/** `cut`: nothing later counts, so the walk begins there. */
export function descending(source: RowSource, after: InstanceQuery['after'], cut: string | null): Walk {
  const { name } = source;
  // '~' sorts behind every time.
  const last = after?.at ?? '~';
  const from = cut !== null && cut < last ? cut : last;
  return {
    from,
    order: `${name}.at DESC, ${name}.page_id`,
    at: {
      sql: `${dated(source)} AND ${name}.at <= ? AND (${name}.at < ? OR ${name}.page_id > ?)`,
      params: [from, last, after?.pageId ?? ''],
    },
  };
}
