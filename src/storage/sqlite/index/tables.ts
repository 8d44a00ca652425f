import { LEXICAL_TABLES } from '../lexical/tables.ts';

/**
 * Number of the schema below, and of the keys that words are found by. Another number in the file, or no file: the index is made anew
 * from state.sqlite.
 */
export const INDEX_SCHEMA = 10;

/**
 * Names what the code derives from a page. Change it whenever the projection or the rows made from it change: pages are then
 * derived again in the background while reads go on.
 */
export const INDEX_BUILD = '1';

/** Blocks of page n have the ids n * SLOTS … n * SLOTS + SLOTS - 1, so that a block id tells its page. */
export const SLOT_BITS = 24;
export const SLOTS = 2 ** SLOT_BITS;

export const INDEX_TABLES = `
-- progress: one row, what of state.sqlite is in here.
--   build        INDEX_BUILD of the code that derived the rows
--   applied_seq  every commit up to this one is applied, but for those in fill
--   applied_sha  hash of that commit's version, '' for none: another hash there means another history
--   fill_from    commits after this one …
--   fill_to      … up to this one are still to be derived (again); equal: none
--   fill_hides   1: pages of the fill may have no rows at all, so nobody may read before it ends
--   blocks       number of rows of block
CREATE TABLE progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  build TEXT NOT NULL,
  applied_seq INTEGER NOT NULL,
  applied_sha TEXT NOT NULL,
  fill_from INTEGER NOT NULL,
  fill_to INTEGER NOT NULL,
  fill_hides INTEGER NOT NULL,
  blocks INTEGER NOT NULL
) STRICT;
INSERT INTO progress VALUES (1, '${INDEX_BUILD}', 0, '', 0, 0, 0, 0);

-- access_class: pages that are decided alike but for ownership. Ids hold as long as this file.
--   page_type   skill | instance
--   skill       skill of the pages
--   acl         JSON of the pages' own block: mapping, "closed" or null
--   unreadable  1: the header cannot be read
CREATE TABLE access_class (
  id INTEGER PRIMARY KEY,
  page_type TEXT NOT NULL,
  skill TEXT NOT NULL,
  acl TEXT NOT NULL,
  unreadable INTEGER NOT NULL
) STRICT;

-- page: one row a live page.
--   page_no          number of the page in this file; stays while the page is indexed
--   page_id, version, seq, sha256   the version the row was derived from, and where state.sqlite has it
--   page_type        skill | instance
--   slug             id of the header, NULL without one
--   skill            as PageFacts
--   title, description   as PageFacts
--   at               RFC 3339 UTC, all of one form so that text order is time order; NULL when undated
--   scenario         overlay the page belongs to, NULL for base pages
--   access_class     access_class.id
--   credential       header key credential when it is a text (E400)
--   last_written_by  author of the version
--   first_at         commit time of the oldest version that is kept
--   updated_at       commit time of the version
--   frontmatter      the whole header as JSON
CREATE TABLE page (
  page_no INTEGER PRIMARY KEY,
  page_id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  page_type TEXT NOT NULL,
  slug TEXT,
  skill TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  at TEXT,
  scenario TEXT,
  access_class INTEGER NOT NULL,
  credential TEXT,
  last_written_by TEXT,
  first_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  frontmatter TEXT NOT NULL
) STRICT;
CREATE INDEX page_by_slug ON page (slug, skill) WHERE slug IS NOT NULL;
-- Lists walk these; what decides about hidden and later rows stands in them, so that such a row costs no look at the page.
CREATE INDEX page_by_skill ON page (skill, page_id, access_class, scenario, at) WHERE page_type = 'instance';
CREATE INDEX page_by_time ON page (skill, at, page_id, access_class, scenario)
  WHERE page_type = 'instance' AND at IS NOT NULL;
CREATE INDEX page_undated ON page (skill, page_id, access_class, scenario) WHERE page_type = 'instance' AND at IS NULL;
CREATE INDEX page_rewritten ON page (skill, first_at, updated_at) WHERE page_type = 'instance' AND first_at <> updated_at;
CREATE INDEX page_by_credential ON page (credential) WHERE credential IS NOT NULL;
CREATE INDEX page_skill_pages ON page (page_id) WHERE page_type = 'skill';

-- header_value: instances by the plain values of their headers, so that equality finds them; the header itself decides.
--   skill     skill of the page
--   key       top-level header key; behind a U+0001 for the owner that a link there names
--   value     the text, the JSON text of a number or flag, or the key of an owner; longer ones than header-values.ts says are
--             not here
--   page_id, page_no   the page
--   at        as page.at, '' when undated
CREATE TABLE header_value (
  skill TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  page_id TEXT NOT NULL,
  page_no INTEGER NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (skill, key, value, page_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX header_value_by_time ON header_value (skill, key, value, at, page_id, page_no);

-- past_page: what pages were found by in versions that were followed by others, archived pages included. '' stands for NULL.
--   page_id
--   page_type, skill, slug, at, scenario   as in page
--   until   commit time of the last version that no longer said this
CREATE TABLE past_page (
  page_id TEXT NOT NULL,
  page_type TEXT NOT NULL,
  skill TEXT NOT NULL,
  slug TEXT NOT NULL,
  at TEXT NOT NULL,
  scenario TEXT NOT NULL,
  until TEXT NOT NULL,
  PRIMARY KEY (page_id, page_type, skill, slug, at, scenario)
) STRICT, WITHOUT ROWID;
CREATE INDEX past_page_by_slug ON past_page (slug, until) WHERE slug <> '';
CREATE INDEX past_page_by_skill ON past_page (skill, page_id, until, at, scenario) WHERE page_type = 'instance';
CREATE INDEX past_page_by_time ON past_page (skill, at, page_id, until, scenario) WHERE page_type = 'instance';
CREATE INDEX past_page_skills ON past_page (until) WHERE page_type = 'skill';

-- past_link: links that pages held in versions that were followed by others.
--   target, link_skill   as in link
--   page_id   the page that held it
--   until     commit time of the last version that no longer did
CREATE TABLE past_link (
  target TEXT NOT NULL,
  link_skill TEXT NOT NULL,
  page_id TEXT NOT NULL,
  until TEXT NOT NULL,
  PRIMARY KEY (target, link_skill, page_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX past_link_by_page ON past_link (page_id);

-- block: what a search can find. A page without blocks has one row with empty anchor and content.
--   block_id  page_no * 2^24 + slot; keeps its slot while the page keeps the anchor
--   ord       place on the page, from 0
--   anchor    as Block
--   headings  JSON list, outermost first
--   content   as Block
CREATE TABLE block (
  block_id INTEGER PRIMARY KEY,
  ord INTEGER NOT NULL,
  anchor TEXT NOT NULL,
  headings TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;

-- link: one row an edge; edges that differ in version or alias only are one.
--   page_no       source page
--   ord           place on the page, from 0
--   src_anchor    block it stands in, NULL in the header
--   src_field     frontmatter.<key>, NULL in the body
--   link_skill    '' for a bare link
--   target        id text of the link
--   dst_anchor    anchor asked for
--   link_version  version asked for
CREATE TABLE link (
  page_no INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  src_anchor TEXT,
  src_field TEXT,
  link_skill TEXT NOT NULL,
  target TEXT NOT NULL,
  dst_anchor TEXT,
  link_version TEXT,
  PRIMARY KEY (page_no, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_by_target ON link (target, link_skill);
CREATE INDEX link_by_field ON link (src_field) WHERE src_field IS NOT NULL;

${LEXICAL_TABLES}`;
