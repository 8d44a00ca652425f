import type { JsonObject } from '../../../kernel/json.ts';
import type { PageProjection } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import { blockWriter } from './blocks.ts';
import type { AccessClasses } from './classes.ts';
import { docWriter } from '../lexical/doc-writer.ts';
import { headerValues, type HeaderPage } from './header-values.ts';
import { linkWriter } from './links.ts';
import { wordsOf, type Derived, type Findable } from './rows.ts';
import { pageSweeper, type PageSweeper } from './sweep.ts';

export interface PageWriter {
  /** Makes the rows of one page those of a version, none when it is archived. Answers by how many blocks the index grew. */
  write(derived: Derived): number;
  /** The same, but takes nothing over from the rows that are there. */
  rewrite(derived: Derived): number;
  /** Drops a page with all its rows. */
  drop(pageId: string): number;
  /** Does some of the work that waits; answers whether there is more. */
  step(): boolean;
  readonly sweeper: PageSweeper;
  /** After a transaction was rolled back. */
  reload(): void;
}

interface Known {
  page_no: number;
  page_type: string;
  title: string;
  description: string;
  skill: string;
  slug: string | null;
  access_class: number;
  scenario: string | null;
  frontmatter: string;
  lang: unknown;
}

interface PageRow {
  page_id: string;
  version: number;
  sha256: string;
  page_type: string;
  slug: string | null;
  skill: string;
  title: string;
  description: string;
  at: string | null;
  scenario: string | null;
  access_class: number;
  credential: string | null;
  last_written_by: string | null;
  first_at: string;
  updated_at: string;
  frontmatter: string;
}

/** `onSkill` hears of every skill page that comes, changes or goes. Runs inside the caller's transaction. */
export function pageWriter(db: Db, classes: AccessClasses, onSkill: () => void): PageWriter {
  const docs = docWriter(db);
  const blocks = blockWriter(db, docs);
  const links = linkWriter(db);
  const values = headerValues(db);
  const sweeper = pageSweeper(db, docs);
  const find = db.prepare<[string], Known>(
    `SELECT page_no, page_type, title, description, skill, slug, access_class, scenario, frontmatter,
       frontmatter ->> '$.lang' AS lang
     FROM page WHERE page_id = ?`,
  );
  // By position: binding by name looks every name up again with each row.
  const insert = db.prepare<unknown[]>(
    `INSERT INTO page (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  );
  const update = db.prepare<[PageRow]>(
    `UPDATE page SET version = :version, sha256 = :sha256, page_type = :page_type, slug = :slug, skill = :skill,
       title = :title, description = :description, at = :at, scenario = :scenario, access_class = :access_class,
       credential = :credential, last_written_by = :last_written_by, first_at = :first_at,
       updated_at = :updated_at, frontmatter = :frontmatter
     WHERE page_id = :page_id`,
  );
  const drop = db.prepare<[number]>('DELETE FROM page WHERE page_no = ?');

  const findable = ({ facts, frontmatter }: PageProjection): Findable => ({
    words: wordsOf({ ...facts, lang: frontmatter.lang }),
    reach: { accessClass: classes.idFor(facts), overlay: facts.scenario !== null },
  });

  function remove({ page_no }: Known): number {
    links.remove(page_no);
    drop.run(page_no);
    return -blocks.remove(page_no);
  }

  /** Makes the row of the page itself; its number, or null when the version is archived. */
  function writeRow(derived: Derived, known: Known | undefined): number | null {
    const { facts } = derived.projection;
    if (known?.page_type === 'skill' || (facts.pageType === 'skill' && !derived.archived)) onSkill();
    const old = known && headerOf(known);
    if (derived.archived) {
      values.change(derived.pageId, old, undefined);
      return null;
    }
    const row = rowOf(derived, classes.idFor(facts));
    if (known) update.run(row);
    const pageNo = known?.page_no ?? Number(insert.run(COLUMNS.map(column => row[column])).lastInsertRowid);
    const now = { skill: row.skill, frontmatter: derived.projection.frontmatter, pageType: row.page_type, pageNo };
    values.change(derived.pageId, old, now);
    return pageNo;
  }

  /** Rows that hang on the number go too, also those that no block accounts for. */
  function clear({ page_no }: Known): number {
    drop.run(page_no);
    return -sweeper.clear(page_no);
  }

  return {
    write(derived) {
      const known = find.get(derived.pageId);
      const pageNo = writeRow(derived, known);
      if (pageNo === null) return known ? remove(known) : 0;
      links.write(pageNo, derived.projection.links, !known);
      return blocks.write(pageNo, derived.projection.blocks, findable(derived.projection), known && findableAs(known));
    },
    rewrite(derived) {
      const known = find.get(derived.pageId);
      const pageNo = writeRow(derived, known);
      if (pageNo === null) return known ? clear(known) : 0;
      const before = sweeper.clear(pageNo);
      links.write(pageNo, derived.projection.links, true);
      return blocks.write(pageNo, derived.projection.blocks, findable(derived.projection), undefined) - before;
    },
    drop(pageId) {
      const known = find.get(pageId);
      if (known?.page_type === 'skill') onSkill();
      if (known) values.change(pageId, headerOf(known), undefined);
      return known ? clear(known) : 0;
    },
    sweeper,
    step: docs.step,
    reload: docs.reload,
  };
}

const COLUMNS = [
  'page_id',
  'version',
  'sha256',
  'page_type',
  'slug',
  'skill',
  'title',
  'description',
  'at',
  'scenario',
  'access_class',
  'credential',
  'last_written_by',
  'first_at',
  'updated_at',
  'frontmatter',
] as const satisfies readonly (keyof PageRow)[];

const headerOf = ({ skill, frontmatter, page_type }: Known): HeaderPage => ({
  skill,
  frontmatter: JSON.parse(frontmatter) as JsonObject,
  pageType: page_type,
});

const findableAs = (page: Known): Findable => ({
  words: wordsOf(page),
  reach: { accessClass: page.access_class, overlay: page.scenario !== null },
});

function rowOf(
  { pageId, version, sha256, author, committedAt, firstAt, projection }: Derived,
  accessClass: number,
): PageRow {
  const { facts, frontmatter } = projection;
  return {
    page_id: pageId,
    version,
    sha256,
    page_type: facts.pageType,
    slug: facts.slug,
    skill: facts.skill,
    title: facts.title,
    description: facts.description,
    at: facts.at,
    scenario: facts.scenario,
    access_class: accessClass,
    credential: typeof frontmatter.credential === 'string' ? frontmatter.credential : null,
    last_written_by: author,
    first_at: firstAt,
    updated_at: committedAt,
    frontmatter: JSON.stringify(frontmatter),
  };
}
