import type { Statement } from 'better-sqlite3';
import type { JsonObject } from '../../../kernel/json.ts';
import type { IndexedPage } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';

/** Columns of `page` that an IndexedPage is made of, for SQL that calls the table p. */
export const PAGE_COLUMNS = `p.page_id, p.version, p.seq, p.sha256, p.page_type, p.slug, p.skill, p.title, p.at, p.scenario,
  p.access_class, p.last_written_by, p.first_at, p.updated_at, p.frontmatter`;

/** Their values, in that order: to make an object of a row costs more than to read it. */
export type PageColumns = readonly [
  pageId: string,
  version: number,
  seq: number,
  sha256: string,
  pageType: IndexedPage['pageType'],
  slug: string | null,
  skill: string,
  title: string,
  at: string | null,
  scenario: string | null,
  accessClass: number,
  lastWrittenBy: string | null,
  firstAt: string,
  updatedAt: string,
  frontmatter: string,
];

/** A statement that selects PAGE_COLUMNS. */
export const pageStatement = <Params extends unknown[]>(db: Db, sql: string): Statement<Params, PageColumns> =>
  db.prepare<Params, PageColumns>(sql).raw();

/** A row as reads see it. Its header is parsed only when it is asked for: most reads of a page never look at it. */
class PageRow implements IndexedPage {
  readonly pageId: string;
  readonly version: number;
  readonly seq: number;
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
    this.pageId = row[0];
    this.version = row[1];
    this.seq = row[2];
    this.sha256 = row[3];
    this.pageType = row[4];
    this.slug = row[5];
    this.skill = row[6];
    this.title = row[7];
    this.at = row[8];
    this.scenario = row[9];
    this.accessClass = row[10];
    this.lastWrittenBy = row[11];
    this.firstAt = row[12];
    this.updatedAt = row[13];
    this.#header = row[14];
  }

  get frontmatter(): JsonObject {
    this.#parsed ??= JSON.parse(this.#header) as JsonObject;
    return this.#parsed;
  }
}

export const indexedPage = (row: PageColumns): IndexedPage => new PageRow(row);

/** SQL that is 0 for a tenant page and 1 for a page of a pack, so that tenant pages sort first (E229). */
export const PACK_RANK = `(p.page_id >= 'markdown/base/' AND p.page_id < 'markdown/base0')`;
