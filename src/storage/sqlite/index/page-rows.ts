import type { JsonObject } from '../../../kernel/json.ts';
import type { IndexedPage } from '../../../pages/ports.ts';

/** Columns of `page` that an IndexedPage is made of, for SQL that calls the table p. */
export const PAGE_COLUMNS = `p.page_id, p.version, p.sha256, p.page_type, p.slug, p.skill, p.title, p.at, p.scenario,
  p.access_class, p.last_written_by, p.first_at, p.updated_at, p.frontmatter`;

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
  first_at: string;
  updated_at: string;
  frontmatter: string;
}

/** A row as reads see it. Its header is parsed only when it is asked for: most reads of a page never look at it. */
class PageRow implements IndexedPage {
  readonly pageId: string;
  readonly version: number;
  readonly sha256: string;
  readonly pageType: IndexedPage['pageType'];
  readonly slug: string | null;
  readonly skill: string;
  readonly title: string;
  readonly at: string | null;
  readonly scenario: string | null;
  readonly accessClass: number;
  readonly lastWrittenBy: string | null;
  readonly firstAt: string;
  readonly updatedAt: string;
  readonly #header: string;
  #parsed: JsonObject | undefined;

  constructor(row: PageColumns) {
    this.pageId = row.page_id;
    this.version = row.version;
    this.sha256 = row.sha256;
    this.pageType = row.page_type;
    this.slug = row.slug;
    this.skill = row.skill;
    this.title = row.title;
    this.at = row.at;
    this.scenario = row.scenario;
    this.accessClass = row.access_class;
    this.lastWrittenBy = row.last_written_by;
    this.firstAt = row.first_at;
    this.updatedAt = row.updated_at;
    this.#header = row.frontmatter;
  }

  get frontmatter(): JsonObject {
    this.#parsed ??= JSON.parse(this.#header) as JsonObject;
    return this.#parsed;
  }
}

export const indexedPage = (row: PageColumns): IndexedPage => new PageRow(row);

/** SQL that is 0 for a tenant page and 1 for a page of a pack, so that tenant pages sort first (E229). */
export const PACK_RANK = `(p.page_id >= 'markdown/base/' AND p.page_id < 'markdown/base0')`;
