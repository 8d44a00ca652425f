import type { JsonObject } from '../../../kernel/json.ts';
import type { PageProjection } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import { blockWriter } from './blocks.ts';
import type { AccessClasses } from './classes.ts';
import { docWriter } from '../lexical/doc-writer.ts';
import { headerValues, type HeaderPage } from './header-values.ts';
import { linkWriter } from './links.ts';
import { pastFacts, pastWriter, sameFacts } from './past.ts';
import { wordsOf, type Derived, type Findable } from './rows.ts';
import { pageSweeper, type PageSweeper } from './sweep.ts';
import type { NewestVersions } from './versions.ts';

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
  version: number;
  page_type: string;
  at: string | null;
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
  seq: number;
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
export function pageWriter(
  db: Db,
  classes: AccessClasses,
  versionsOf: NewestVersions['of'],
  onSkill: () => void,
): PageWriter {
  const docs = docWriter(db);
  const blocks = blockWriter(db, docs);
  const links = linkWriter(db);
  const values = headerValues(db);
  const past = pastWriter(db, versionsOf);
  const sweeper = pageSweeper(db, docs);
  const find = db.prepare<[string], Known>(
    `SELECT page_no, version, page_type, at, title, description, skill, slug, access_class, scenario, frontmatter,
       frontmatter ->> '$.lang' AS lang
     FROM page WHERE page_id = ?`,
  );
  // By position: binding by name looks every name up again with each row.
  const insert = db.prepare<unknown[]>(
    `INSERT INTO page (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  );
  const update = db.prepare<[PageRow]>(
    `UPDATE page SET version = :version, seq = :seq, sha256 = :sha256, page_type = :page_type, slug = :slug, skill = :skill,
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

  /** The rows of the page are those of the version before: what they say and this one does not is what ended with it. */
  const follows = ({ version }: Derived, known: Known | undefined): known is Known => known?.version === version - 1;

  function remove(derived: Derived, known: Known): number {
    const { page_no } = known;
    const before = links.remove(page_no);
    if (follows(derived, known)) past.unlinked(derived.pageId, before, [], derived.committedAt);
    drop.run(page_no);
    return -blocks.remove(page_no);
  }

  function notePast(derived: Derived, known: Known | undefined): void {
    const { pageId, version, archived, committedAt, projection } = derived;
    if (version === 0) past.drop(pageId);
    else if (!follows(derived, known)) {
      if (version > 1) past.again(derived);
    } else if (archived || !sameFacts(known, pastFacts(projection.facts))) past.ended(pageId, known, committedAt);
  }

  /** Makes the row of the page itself; its number, or null when the version is archived. */
  function writeRow(derived: Derived, known: Known | undefined, anew: boolean): number | null {
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
    const { frontmatter } = derived.projection;
    const now = { skill: row.skill, at: row.at, frontmatter, pageType: row.page_type, pageNo };
    values.change(derived.pageId, old, now, anew);
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
      notePast(derived, known);
      const pageNo = writeRow(derived, known, false);
      if (pageNo === null) return known ? remove(derived, known) : 0;
      const change = links.write(pageNo, derived.projection.links, !known);
      if (change && follows(derived, known))
        past.unlinked(derived.pageId, change.before, change.now, derived.committedAt);
      return blocks.write(pageNo, derived.projection.blocks, findable(derived.projection), known && findableAs(known));
    },
    rewrite(derived) {
      const known = find.get(derived.pageId);
      past.again(derived);
      const pageNo = writeRow(derived, known, true);
      if (pageNo === null) return known ? clear(known) : 0;
      const before = sweeper.clear(pageNo);
      links.write(pageNo, derived.projection.links, true);
      return blocks.write(pageNo, derived.projection.blocks, findable(derived.projection), undefined) - before;
    },
    drop(pageId) {
      const known = find.get(pageId);
      past.drop(pageId);
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
  'seq',
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

const headerOf = ({ skill, at, frontmatter, page_type }: Known): HeaderPage => ({
  skill,
  at,
  frontmatter: JSON.parse(frontmatter) as JsonObject,
  pageType: page_type,
});

const findableAs = (page: Known): Findable => ({
  words: wordsOf(page),
  reach: { accessClass: page.access_class, overlay: page.scenario !== null },
});

function rowOf(
  { pageId, version, seq, sha256, author, committedAt, firstAt, projection }: Derived,
  accessClass: number,
): PageRow {
  const { facts, frontmatter } = projection;
  return {
    page_id: pageId,
    version,
    seq,
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
