import type { JsonObject } from '../../../kernel/json.ts';
import type { IndexedPage } from '../../../pages/ports.ts';

/** Columns of `page` that an IndexedPage is made of, for SQL that calls the table p. */
export const PAGE_COLUMNS = `p.page_id, p.version, p.sha256, p.page_type, p.slug, p.skill, p.title, p.at, p.scenario,
  p.access_class, p.last_written_by, p.updated_at, p.frontmatter`;

export interface PageColumns {
  page_id: string;
  version: number;
  sha256: string;
  page_type: IndexedPage['pageType'];
  slug: string | null;
  skill: string;
  title: string;
  at: string | null;
  scenario: string | null;
  access_class: number;
  last_written_by: string | null;
  updated_at: string;
  frontmatter: string;
}

export const indexedPage = (row: PageColumns): IndexedPage => ({
  pageId: row.page_id,
  version: row.version,
  sha256: row.sha256,
  pageType: row.page_type,
  slug: row.slug,
  skill: row.skill,
  title: row.title,
  at: row.at,
  scenario: row.scenario,
  frontmatter: JSON.parse(row.frontmatter) as JsonObject,
  accessClass: row.access_class,
  lastWrittenBy: row.last_written_by,
  updatedAt: row.updated_at,
});

/** SQL that is 0 for a tenant page and 1 for a page of a pack, so that tenant pages sort first (E229). */
export const PACK_RANK = `(p.page_id >= 'markdown/base/' AND p.page_id < 'markdown/base0')`;
