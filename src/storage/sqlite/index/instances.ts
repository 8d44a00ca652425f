import type { IndexedPage, InstanceQuery } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import { jsonPath } from './json-path.ts';
import { indexedPage, PACK_RANK, PAGE_COLUMNS, type PageColumns } from './page-rows.ts';

/** E206: a text as it is, a number or flag by its JSON text, null and absence never. */
const TEXT_AT_PATH = `CASE json_type(p.frontmatter, :path)
  WHEN 'text' THEN json_extract(p.frontmatter, :path) WHEN 'null' THEN NULL ELSE p.frontmatter -> :path END`;

/** E211: with an overlay one page stands for a slug: the overlay's, then the tenant's, then the first by id. */
const ONE_PER_SLUG = `(:scenario IS NULL OR p.slug IS NULL OR NOT EXISTS (
  SELECT 1 FROM page o
  WHERE o.slug = p.slug AND o.skill = p.skill AND o.page_type = 'instance'
    AND (o.scenario IS NULL OR o.scenario = :scenario) AND (:as_of IS NULL OR o.at IS NULL OR o.at <= :as_of)
    AND (o.scenario IS NULL, ${PACK_RANK.replaceAll('p.', 'o.')}, o.page_id)
      < (p.scenario IS NULL, ${PACK_RANK}, p.page_id)))`;

const VISIBLE = `p.page_type = 'instance' AND p.skill = :skill
  AND (p.scenario IS NULL OR p.scenario = :scenario)
  AND (:as_of IS NULL OR p.at IS NULL OR p.at <= :as_of)
  AND (:path IS NULL OR ${TEXT_AT_PATH} = :value)
  AND ${ONE_PER_SLUG}`;

interface Bound {
  skill: string;
  scenario: string | null;
  as_of: string | null;
  path: string | null;
  value: string | null;
  at: string | null;
  page_id: string | null;
  limit: number;
}

/** Instances of one skill, in the order asked for, from behind a row on. */
export function instanceReads(db: Db): (query: InstanceQuery) => readonly IndexedPage[] {
  const statement = (where: string, order: string) =>
    db.prepare<[Bound], PageColumns>(
      `SELECT ${PAGE_COLUMNS} FROM page p WHERE ${VISIBLE} AND ${where} ORDER BY ${order} LIMIT :limit`,
    );
  const afterId = `p.page_id > coalesce(:page_id, '')`;
  const byId = statement(afterId, 'p.page_id');
  const dated = {
    at_asc: statement(
      `p.at IS NOT NULL AND (p.at, p.page_id) > (coalesce(:at, ''), coalesce(:page_id, ''))`,
      'p.at, p.page_id',
    ),
    // '~' sorts behind every time.
    at_desc: statement(
      `p.at IS NOT NULL AND p.at <= coalesce(:at, '~') AND (p.at < coalesce(:at, '~') OR p.page_id > :page_id)`,
      'p.at DESC, p.page_id',
    ),
  };
  const undated = statement(`p.at IS NULL AND ${afterId}`, 'p.page_id');

  return ({ skill, scenario, asOf, equals, after, order, limit }) => {
    const bound: Bound = {
      skill,
      scenario,
      as_of: asOf,
      path: equals ? jsonPath(...equals.key.split('.')) : null,
      value: equals ? equals.value : null,
      at: after?.at ?? null,
      page_id: after?.pageId ?? null,
      limit,
    };
    if (order === 'page_id') return byId.all(bound).map(indexedPage);
    // Undated rows come last in both directions (E202), so they are a list of their own behind the dated ones.
    const rows = after?.at === null ? [] : dated[order].all(bound);
    const rest = limit - rows.length;
    const tail = after?.at === null ? bound : { ...bound, page_id: null };
    return [...rows, ...(rest > 0 ? undated.all({ ...tail, limit: rest }) : [])].map(indexedPage);
  };
}
