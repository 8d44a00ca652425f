/** Schema of state.sqlite, one entry a version: never edit an entry that was released, add one. */
export const STATE_MIGRATIONS = [
  `
-- page_version: every committed version of every page. Texts are never changed.
--   seq           place in the order of all commits; the outbox row of this version has the same
--   page_id       caller-chosen path, compared byte by byte
--   version       1, 2, 3 … for each page
--   sha256        lower-case hex over the UTF-8 bytes of content
--   author        subject that wrote it, NULL when nobody is known
--   origin        agent | external | import | system
--   message       reason given by the writer
--   committed_at  RFC 3339 UTC with milliseconds
--   archived      1: kept, but no page to readers
--   content       the whole file, or a delta (see below); last, so that the other columns are read without it
CREATE TABLE page_version (
  seq INTEGER PRIMARY KEY,
  page_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  author TEXT,
  origin TEXT NOT NULL,
  message TEXT,
  committed_at TEXT NOT NULL,
  archived INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX page_version_by_page ON page_version (page_id, version);

-- page_head: the newest version of each page, archived ones included.
--   page_id, version, seq, sha256, archived   as in page_version
CREATE TABLE page_head (
  page_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  archived INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- outbox: what later parts of the server still have to hear of, written in the transaction that caused it.
--   seq      order; never used twice
--   page_id  page that got a new version
--   version  that version
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY,
  page_id TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;

-- outbox_cursor: how far each subscriber has come.
--   subscriber  name, e.g. publish
--   seq         everything up to here is done; doing it again does no harm
CREATE TABLE outbox_cursor (
  subscriber TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO outbox_cursor (subscriber, seq) VALUES ('publish', 0);

-- published: the file of each page as this server last wrote or accepted it.
--   page_id
--   version   version the file holds
--   sha256    hash of the file's bytes
--   size      bytes
--   mtime_ms  the file's modification time, milliseconds since 1970
CREATE TABLE published (
  page_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- group_member: who is in which group (E428-E430).
--   group_id, subject  names, compared byte by byte
--   added_at           RFC 3339 UTC
--   added_by           subject of the admin who added or confirmed the row last
CREATE TABLE group_member (
  group_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  added_at TEXT NOT NULL,
  added_by TEXT NOT NULL,
  PRIMARY KEY (group_id, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_member_by_subject ON group_member (subject);

-- tenant_setting: settings of the served tenant (E084).
--   name   settings
--   value  JSON of TenantSettings
CREATE TABLE tenant_setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
  `
-- page_removal: ids that a page left, by a purge or a move. Rows stay, so that an index that is behind learns of them; of a
-- purged page nothing but its id is kept.
--   seq         place in the order of all commits; no version has the same
--   page_id     the id that the page left
--   moved_to    where its versions are now, NULL when they are gone
--   removed_at  RFC 3339 UTC with milliseconds
--   mark        stands for sha256 where commits of two histories are compared
--   file_left   1: the file under the old id is still to be removed
CREATE TABLE page_removal (
  seq INTEGER PRIMARY KEY,
  page_id TEXT NOT NULL,
  moved_to TEXT,
  removed_at TEXT NOT NULL,
  mark TEXT NOT NULL,
  file_left INTEGER NOT NULL
) STRICT;
CREATE INDEX page_removal_by_page ON page_removal (page_id) WHERE file_left = 1;
CREATE INDEX page_removal_by_target ON page_removal (moved_to) WHERE file_left = 1;
`,
  `
-- page_version.delta_of: NULL: content is the whole text. Otherwise content is a delta (state/delta.ts) that makes the text out
-- of that of the version with this seq, a newer one of the same page. sha256 is always that of the whole text, and the newest
-- version of a page is always whole.
ALTER TABLE page_version ADD COLUMN delta_of INTEGER;

-- compaction: one row.
--   seq  versions that commits up to here superseded are as small as they get
CREATE TABLE compaction (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL
) STRICT;
INSERT INTO compaction (id, seq) VALUES (1, 0);
`,
  `
-- published.mark: changes with every change of the file, whatever its size and time are then; '' for files of older servers,
-- which are read once more.
ALTER TABLE published ADD COLUMN mark TEXT NOT NULL DEFAULT '';
`,
  `
-- past_slug: slugs that pages of more than one version had in some version; which version, the versions tell. Pages whose versions
-- are older than this table have those that they were given since.
--   page_id, slug  as PageFacts
CREATE TABLE past_slug (
  page_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  PRIMARY KEY (page_id, slug)
) STRICT, WITHOUT ROWID;
CREATE INDEX past_slug_by_slug ON past_slug (slug, page_id);
`,
  `
-- The index knows what pages were called: it is made from the versions.
DROP TABLE past_slug;
`,
] as const;
