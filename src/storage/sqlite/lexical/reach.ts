import type { LaneFilter } from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import { laneCondition } from '../index/filter-sql.ts';
import { keptStatements } from '../index/kept-statements.ts';
import { SLOTS } from '../index/tables.ts';
import type { Docs } from './snapshot.ts';

/** Which documents a filter lets through. */
export interface Reach {
  /** By mark of a document: 0 no, 1 yes, 2 ask `passes`. */
  readonly states: Uint8Array;
  /** The only documents that count, when the filter names a page. */
  readonly only: ReadonlySet<number> | null;
  /** Whether the page of a block passes the whole filter. */
  passes(blockId: number): boolean;
}

interface ClassRow {
  id: number;
  page_type: string;
  skill: string;
}

/** So many pages are looked at one by one; for more, all that pass are found at once. */
const ONE_BY_ONE = 4000;

/** Turns filters into what they say about documents, on one connection. */
export function reaches(db: Db): (filter: LaneFilter) => Reach {
  const classes = db.prepare<[], ClassRow>('SELECT id, page_type, skill FROM access_class ORDER BY id');
  const count = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM access_class').pluck();
  const docsOfPage = db
    .prepare<[string, string], number>(
      `SELECT doc_no FROM doc WHERE block_id >= (SELECT page_no * ${SLOTS} FROM page WHERE page_id = ?)
         AND block_id < (SELECT (page_no + 1) * ${SLOTS} FROM page WHERE page_id = ?)`,
    )
    .pluck();
  const statement = keptStatements<{ page_no: number }>(db);
  let known: ClassRow[] = [];

  return filter => {
    if (count.get()! !== (known.at(-1)?.id ?? 0)) known = classes.all();
    const { sql, params } = laneCondition(filter);
    const checked = new Map<number, boolean>();
    let all: Set<number> | undefined;
    return {
      states: statesOf(known, filter),
      only: filter.pageId === null ? null : new Set(docsOfPage.all(filter.pageId, filter.pageId)),
      passes(blockId) {
        const page = Math.floor(blockId / SLOTS);
        let answer = checked.get(page);
        if (answer !== undefined) return answer;
        if (checked.size >= ONE_BY_ONE) {
          all ??= new Set(
            statement(`SELECT p.page_no FROM page p WHERE ${sql}`)
              .all(...params)
              .map(row => row.page_no),
          );
          return all.has(page);
        }
        answer =
          statement(`SELECT p.page_no FROM page p WHERE p.page_no = ? AND ${sql}`).get(page, ...params) !== undefined;
        checked.set(page, answer);
        return answer;
      },
    };
  };
}

function statesOf(classes: readonly ClassRow[], filter: LaneFilter): Uint8Array {
  const allowed = new Set(filter.scope.allowed);
  const owned = new Set(filter.scope.owned.map(({ accessClass }) => accessClass));
  // Under an overlay a base page may have given its place to a twin.
  const narrowed = filter.asOf !== null || filter.scenario !== null || filter.clauses.length > 0;
  const states = new Uint8Array(2 * ((classes.at(-1)?.id ?? 0) + 2));
  for (const { id, page_type, skill } of classes) {
    if (filter.pageType !== null && page_type !== filter.pageType) continue;
    if (filter.skill !== null && skill !== filter.skill) continue;
    const open = filter.scope.all || allowed.has(id);
    if (!open && !owned.has(id)) continue;
    const state = open && !narrowed ? 1 : 2;
    states[(id + 1) * 2] = state;
    states[(id + 1) * 2 + 1] = filter.scenario === null ? 0 : 2;
  }
  return states;
}

/** What the filter says about a document: 0 no, 1 yes, 2 ask. */
export function stateOf(reach: Reach, docs: Docs, doc: number): number {
  const state = reach.states[docs.marks[doc]!] ?? 0;
  return state !== 0 && reach.only !== null && !reach.only.has(doc) ? 0 : state;
}
