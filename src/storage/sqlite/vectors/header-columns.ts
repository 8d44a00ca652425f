import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../../kernel/log.ts';
import type { LaneFilter } from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import { clauseCondition, scopeCondition, type Condition } from '../index/filter-sql.ts';
import { jsonPath } from '../index/json-path.ts';
import { keptStatements } from '../index/kept-statements.ts';
import { headerColumn, type HeaderColumn } from './header-column.ts';

/** Values of the header keys that filters ask for, in memory by page, so that SQL need not look at every page that a filter passes. */
export interface HeaderColumns {
  /** The rows of a page are others than before. */
  changed(page: number): void;
  /**
   * Takes the pages out of a mask whose headers do not pass the clauses or do not name the caller where only owners may read. False
   * when a key is not in memory yet, so that pages may be left that do not pass: it is read in the background if it is asked again.
   */
  narrow(mask: Uint8Array, filter: Pick<LaneFilter, 'clauses' | 'scope'>, classOf: (page: number) => number): boolean;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
}

export interface HeaderColumnsParts {
  readonly index: Db;
  readonly stopped: () => boolean;
  readonly log: Log;
}

/** Keys in memory. */
const MOST_KEYS = 16;
/** Keys whose questions are counted. */
const MOST_COUNTED = 200;
/** A key that is asked for so often is read. */
const ASKED = 2;
const PAGES_AT_ONCE = 500;
/** With more pages changed since the last question, reading all anew costs less than waiting for them. */
const MOST_CHANGED = 1000;

interface ValueRow {
  readonly page_no: number;
  readonly value: string | null;
}

export function headerColumns({ index, stopped, log }: HeaderColumnsParts): HeaderColumns {
  const columns = new Map<string, HeaderColumn>();
  const counts = new Map<string, number>();
  const changed = new Set<number>();
  let reading: Promise<void> | undefined;
  const after = index.prepare<[string, number, number], ValueRow>(
    'SELECT page_no, frontmatter -> ? AS value FROM page WHERE page_no > ? ORDER BY page_no LIMIT ?',
  );
  const some = index.prepare<[string, string], ValueRow>(
    `SELECT p.page_no, p.frontmatter -> ? AS value
     FROM json_each(?) wanted CROSS JOIN page p ON p.page_no = wanted.value`,
  );
  const passing = keptStatements<{ readonly at: number }>(index);

  /** SQL's own word on headers that have one key each. */
  function test(headers: readonly string[], { sql, params }: Condition): readonly number[] {
    return passing(
      `SELECT p.at FROM (SELECT key AS at, value AS frontmatter, 0 AS access_class FROM json_each(?)) p WHERE ${sql}`,
    )
      .all(JSON.stringify(headers), ...params)
      .map(row => row.at);
  }

  function catchUp(): void {
    if (changed.size === 0) return;
    const wanted = JSON.stringify([...changed]);
    for (const [key, column] of columns) {
      if (column.isTooLarge()) continue;
      for (const page of changed) column.set(page, null);
      for (const { page_no, value } of some.all(jsonPath(key), wanted)) column.set(page_no, value);
      // Values that no page has any more count as well: read anew it may be small enough.
      if (column.isTooLarge()) columns.delete(key);
    }
    changed.clear();
  }

  async function read(key: string): Promise<void> {
    const column = headerColumn(key, test);
    columns.set(key, column);
    if (columns.size > MOST_KEYS) columns.delete(columns.keys().next().value!);
    for (let from = 0; columns.get(key) === column && !stopped() && !column.isTooLarge(); await turn()) {
      const rows = after.all(jsonPath(key), from, PAGES_AT_ONCE);
      for (const { page_no, value } of rows) column.set(page_no, value);
      if (rows.length < PAGES_AT_ONCE) {
        column.complete();
        return;
      }
      from = rows.at(-1)!.page_no;
    }
  }

  function columnOf(key: string): HeaderColumn | undefined {
    const column = columns.get(key);
    if (column) {
      columns.delete(key);
      columns.set(key, column);
      return column.isComplete() ? column : undefined;
    }
    const asked = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, asked);
    if (counts.size > MOST_COUNTED) counts.delete(counts.keys().next().value!);
    if (asked >= ASKED && !stopped())
      reading ??= read(key)
        .catch(error => log.error({ err: error }, 'values of a header key cannot be read, SQL alone decides'))
        .finally(() => (reading = undefined));
    return undefined;
  }

  /** By access class, which pages its owners have: undefined where a key is not there. */
  function owners({ all, allowed, owned, ownerKeys }: LaneFilter['scope']) {
    const byClass = new Map<number, ((page: number) => boolean) | undefined>();
    if (all) return byClass;
    for (const { accessClass, ownerField } of owned) {
      const scope = { all: false, allowed: [], owned: [{ accessClass: 0, ownerField }], ownerKeys };
      byClass.set(accessClass, columnOf(ownerField)?.passes(JSON.stringify(ownerKeys), scopeCondition(scope)));
    }
    for (const one of allowed) byClass.delete(one);
    return byClass;
  }

  return {
    changed(page) {
      if (columns.size === 0) return;
      changed.add(page);
      if (changed.size <= MOST_CHANGED) return;
      columns.clear();
      changed.clear();
    },
    narrow(mask, { clauses, scope }, classOf) {
      catchUp();
      let decided = true;
      for (const clause of clauses) {
        const passes = columnOf(clause.key)?.passes(JSON.stringify(clause), clauseCondition(clause));
        if (passes)
          for (let page = 0; page < mask.length; page++) if (mask[page] === 1 && !passes(page)) mask[page] = 0;
        decided &&= passes !== undefined;
      }
      const own = owners(scope);
      if (own.size === 0) return decided;
      for (let page = 0; page < mask.length; page++)
        if (mask[page] === 1 && own.get(classOf(page))?.(page) === false) mask[page] = 0;
      return decided && [...own.values()].every(one => one !== undefined);
    },
    settled: async () => void (await reading),
  };
}
