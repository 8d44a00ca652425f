import type { Db } from '../database.ts';
import { blockWriter } from './blocks.ts';
import type { AccessClasses } from './classes.ts';
import { linkWriter } from './links.ts';
import { wordsOf, type Derived } from './rows.ts';

export interface PageWriter {
  /** Makes the rows of one page those of a version, none when it is archived. Answers by how many blocks the index grew. */
  write(derived: Derived): number;
}

interface Known {
  page_no: number;
  page_type: string;
  title: string;
  description: string;
  skill: string;
  slug: string | null;
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
  updated_at: string;
  frontmatter: string;
}

/** `onSkill` hears of every skill page that comes, changes or goes. Runs inside the caller's transaction. */
export function pageWriter(db: Db, classes: AccessClasses, onSkill: () => void): PageWriter {
  const blocks = blockWriter(db);
  const links = linkWriter(db);
  const find = db.prepare<[string], Known>(
    'SELECT page_no, page_type, title, description, skill, slug FROM page WHERE page_id = ?',
  );
  const insert = db.prepare<[PageRow]>(
    `INSERT INTO page (page_id, version, sha256, page_type, slug, skill, title, description, at, scenario, access_class,
       credential, last_written_by, updated_at, frontmatter)
     VALUES (:page_id, :version, :sha256, :page_type, :slug, :skill, :title, :description, :at, :scenario, :access_class,
       :credential, :last_written_by, :updated_at, :frontmatter)`,
  );
  const update = db.prepare<[PageRow]>(
    `UPDATE page SET version = :version, sha256 = :sha256, page_type = :page_type, slug = :slug, skill = :skill,
       title = :title, description = :description, at = :at, scenario = :scenario, access_class = :access_class,
       credential = :credential, last_written_by = :last_written_by, updated_at = :updated_at, frontmatter = :frontmatter
     WHERE page_id = :page_id`,
  );
  const drop = db.prepare<[number]>('DELETE FROM page WHERE page_no = ?');

  function remove({ page_no }: Known): number {
    links.remove(page_no);
    drop.run(page_no);
    return -blocks.remove(page_no);
  }

  return {
    write(derived) {
      const known = find.get(derived.pageId);
      const { facts } = derived.projection;
      if (known?.page_type === 'skill' || (facts.pageType === 'skill' && !derived.archived)) onSkill();
      if (derived.archived) return known ? remove(known) : 0;
      const row = rowOf(derived, classes.idFor(facts));
      const pageNo = known ? known.page_no : Number(insert.run(row).lastInsertRowid);
      if (known) update.run(row);
      links.write(pageNo, derived.projection.links, !known);
      return blocks.write(pageNo, derived.projection.blocks, wordsOf(facts), known && wordsOf(known));
    },
  };
}

function rowOf({ pageId, version, sha256, author, committedAt, projection }: Derived, accessClass: number): PageRow {
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
    updated_at: committedAt,
    frontmatter: JSON.stringify(frontmatter),
  };
}
