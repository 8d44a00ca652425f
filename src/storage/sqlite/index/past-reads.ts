import type { IndexedPage, InstanceQuery, PageIndex, Place } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import { keptStatements } from './kept-statements.ts';
import { byBytes } from './page-order.ts';

interface PlaceRow {
  readonly at: string;
  readonly page_id: string;
}

/** A list of present rows in the order of the query; with `rewritten` those written before and after its moment, whatever they say. */
export type PresentRows = (query: InstanceQuery, rewritten: boolean) => readonly IndexedPage[];

/** Where pages of a moment may be found that are found elsewhere now. */
export function pastReads(db: Db, present: PresentRows): Pick<PageIndex, 'once' | 'instancesThen'> {
  const statement = keptStatements<PlaceRow>(db);
  const named = db
    .prepare<[string, string], string>(
      `SELECT DISTINCT page_id FROM past_page WHERE slug = ? AND slug <> '' AND until > ? ORDER BY page_id`,
    )
    .pluck();
  const linked = db
    .prepare<[string, string, string], string>(
      `SELECT DISTINCT page_id FROM past_link
       WHERE target = ? AND link_skill IN (SELECT value FROM json_each(?)) AND until > ? ORDER BY page_id`,
    )
    .pluck();
  const skills = db
    .prepare<[string], string>(
      `SELECT DISTINCT page_id FROM past_page WHERE page_type = 'skill' AND until > ? ORDER BY page_id`,
    )
    .pluck();

  /** Of the places that ended after the moment those behind `after`, undated ones by page id. */
  function ended(query: InstanceQuery, asOf: string): PlaceRow[] {
    const { skill, scenario, order, after, limit } = query;
    const wanted = `FROM past_page WHERE page_type = 'instance' AND skill = ? AND until > ? AND scenario IN ('', ?)`;
    const params = [skill, asOf, scenario ?? ''];
    if (order === 'page_id') {
      return statement(
        `SELECT DISTINCT '' AS at, page_id ${wanted} AND at <= ? AND page_id > ? ORDER BY page_id LIMIT ?`,
      ).all(...params, asOf, after?.pageId ?? '', limit);
    }
    const from = `SELECT DISTINCT at, page_id ${wanted}`;
    const undated = statement(`${from} AND at = '' AND page_id > ? ORDER BY page_id LIMIT ?`);
    if (after?.at === null) return undated.all(...params, after.pageId, limit);
    const back = order === 'at_desc';
    const dated = statement(
      `${from} AND at <> '' AND at <= ? ${after ? `AND (at ${back ? '<' : '>'} ? OR (at = ? AND page_id > ?))` : ''}
       ORDER BY at ${back ? 'DESC' : 'ASC'}, page_id LIMIT ?`,
    ).all(...params, asOf, ...(after ? [after.at, after.at, after.pageId] : []), limit);
    return dated.length < limit ? [...dated, ...undated.all(...params, '', limit - dated.length)] : dated;
  }

  return {
    once: {
      named: async (slug, asOf) => named.all(slug, asOf),
      linked: async (slug, linkSkills, asOf) => linked.all(slug, JSON.stringify(linkSkills), asOf),
      skills: async asOf => skills.all(asOf),
    },
    async instancesThen(query) {
      const filtered = query.equals !== null || query.clauses.length > 0;
      const gone = ended(query, query.asOf);
      const again = filtered ? present(query, true) : [];
      const found = present(query, false).map(placeOf);
      if (gone.length + again.length === 0) return found;
      const places = new Map<string, Place>();
      // By page id a page has one place, whatever its times.
      const keyOf = ({ at, pageId }: Where): string => (query.order === 'page_id' ? pageId : `${at}\0${pageId}`);
      for (const { at, page_id } of gone) {
        const place = { at: at === '' ? null : at, pageId: page_id, row: null };
        places.set(keyOf(place), place);
      }
      for (const place of [...again.map(placeOf), ...found]) places.set(keyOf(place), place);
      return [...places.values()].sort(inOrder(query.order)).slice(0, query.limit);
    },
  };
}

const placeOf = (row: IndexedPage): Place => ({ at: row.at, pageId: row.pageId, row });

type Where = Pick<Place, 'at' | 'pageId'>;

/** As SQLite sorts: text byte by byte, undated rows last. */
export function inOrder(order: InstanceQuery['order']) {
  const sign = order === 'at_desc' ? -1 : 1;
  return (a: Where, b: Where): number => {
    if (order === 'page_id' || a.at === b.at) return byBytes(a.pageId, b.pageId);
    if (a.at === null || b.at === null) return a.at === null ? 1 : -1;
    return a.at < b.at ? -sign : sign;
  };
}
