import { accessTables, FIRST_OPERATIONS } from './access-tables.ts';
import { appendOnly, day, instant } from './forms.ts';
import type { Migration } from './migration.ts';

const APPEND_ONLY = {
  rule: ['seq', 'id'],
  rule_version: [], // numbered without gaps by a trigger of its own
  decision: ['id'],
  source: ['id'],
  source_attachment: [], // likewise
  source_segment: ['source_id, n'],
} as const;

/** The status that the newest version of the rule of the row being inserted has before it. */
const STATUS_BEFORE = `(SELECT p.status FROM rule_version p WHERE p.rule_id = NEW.rule_id ORDER BY p.version DESC LIMIT 1)`;

/** One file a scope (contract 4.1). */
const SQL = `
-- Which scope this file is. A file opens only under its own name.
CREATE TABLE meta (
  singleton      INTEGER PRIMARY KEY CHECK (singleton = 1),
  scope          TEXT NOT NULL,
  schema_version INTEGER NOT NULL CHECK (schema_version >= 1), -- number of the last migration
  created_at     TEXT NOT NULL
);
CREATE TRIGGER meta_fixed BEFORE UPDATE OF scope, created_at ON meta BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER meta_no_delete BEFORE DELETE ON meta BEGIN SELECT RAISE(ABORT, 'append-only'); END;

-- A rule's identity. What it says stands in its versions.
CREATE TABLE rule (
  seq        INTEGER PRIMARY KEY,   -- largest so far + 1; also the rowid in rule_fts and rejected_fts
  id         TEXT NOT NULL UNIQUE,  -- <scope>-<seq, four digits or more>
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL          -- grant id
);
CREATE TRIGGER rule_id_in_scope BEFORE INSERT ON rule
WHEN substr(NEW.id, 1, length((SELECT scope FROM meta)) + 1) <> (SELECT scope FROM meta) || '-'
  OR length(NEW.id) - length((SELECT scope FROM meta)) - 1 < 4
  OR substr(NEW.id, length((SELECT scope FROM meta)) + 2) GLOB '*[^0-9]*'
BEGIN SELECT RAISE(ABORT, 'rule-id-not-in-scope'); END;

-- What a quote is taken from.
CREATE TABLE source (
  id              TEXT PRIMARY KEY, -- jamie:<id>, mail:<message-id> or manual:<grant id>
  kind            TEXT NOT NULL CHECK (kind IN ('jamie', 'mail', 'manual')),
  title           TEXT,
  occurred_at     TEXT,
  sender          TEXT,
  thread          TEXT,             -- mail: the id of the thread's first mail
  link            TEXT,
  excerpt         TEXT,             -- mail: the text as received; a meeting's text stands in source_segment
  fulltext_sha256 TEXT,             -- of the text, or of the canonical JSON of the segments
  fetched_at      TEXT NOT NULL,
  feeder          TEXT NOT NULL,    -- grant that stored it
  CHECK (substr(id, 1, length(kind) + 1) = kind || ':'),
  CHECK (kind = 'mail' OR thread IS NULL),
  CHECK (kind <> 'mail' OR excerpt IS NOT NULL),
  CHECK (kind = 'mail' OR excerpt IS NULL),
  CHECK ((kind = 'manual') = (fulltext_sha256 IS NULL)),
  CHECK (kind = 'manual' OR (title IS NOT NULL AND ${instant('occurred_at')}))
);
CREATE INDEX source_thread ON source (thread) WHERE thread IS NOT NULL;

-- What was said in a meeting, in order.
CREATE TABLE source_segment (
  source_id TEXT NOT NULL REFERENCES source (id),
  n         INTEGER NOT NULL CHECK (n >= 1),
  start_s   INTEGER NOT NULL CHECK (start_s >= 0), -- seconds from the start
  speaker   TEXT,
  text      TEXT NOT NULL CHECK (length(text) > 0),
  PRIMARY KEY (source_id, n)
) WITHOUT ROWID;

-- What came with a source, readable or not.
CREATE TABLE source_attachment (
  source_id   TEXT NOT NULL REFERENCES source (id),
  n           INTEGER NOT NULL CHECK (n >= 1),
  filename    TEXT NOT NULL,
  media_type  TEXT NOT NULL,
  size        INTEGER CHECK (size IS NULL OR size >= 0), -- bytes
  external    TEXT,                                      -- its id in another system
  text        TEXT,
  text_origin TEXT NOT NULL CHECK (text_origin IN ('ocr', 'description', 'none')),
  CHECK ((text_origin = 'none') = (text IS NULL)),
  PRIMARY KEY (source_id, n)
) WITHOUT ROWID;
CREATE TRIGGER attachment_contiguous BEFORE INSERT ON source_attachment
WHEN NEW.n <> 1 + coalesce((SELECT max(a.n) FROM source_attachment a WHERE a.source_id = NEW.source_id), 0)
BEGIN SELECT RAISE(ABORT, 'attachment-gap'); END;

-- What a rule said from one change to the next.
CREATE TABLE rule_version (
  rule_id       TEXT NOT NULL REFERENCES rule (id),
  version       INTEGER NOT NULL CHECK (version >= 1),
  kind          TEXT NOT NULL CHECK (kind IN ('rule', 'note')),
  statement     TEXT NOT NULL CHECK (length(statement) BETWEEN 10 AND 500),
  source_id     TEXT NOT NULL REFERENCES source (id),
  quote         TEXT NOT NULL,
  timestamp_s   INTEGER CHECK (timestamp_s IS NULL OR timestamp_s >= 0), -- meetings: where the quote was said
  source_link   TEXT,
  said_at       TEXT NOT NULL CHECK (${instant('said_at')}),
  speaker       TEXT,
  relations     TEXT NOT NULL CHECK (json_valid(relations) AND json_type(relations) = 'array'), -- [{kind, name, ref}]
  keywords      TEXT NOT NULL CHECK (json_valid(keywords) AND json_type(keywords) = 'array'
                                     AND json_array_length(keywords) <= 30),
  valid_from    TEXT NOT NULL CHECK (${day('valid_from')}),
  valid_until   TEXT CHECK (valid_until IS NULL OR ${day('valid_until')}), -- first day on which it no longer holds
  supersedes    TEXT REFERENCES rule (id),
  superseded_by TEXT REFERENCES rule (id),
  status        TEXT NOT NULL CHECK (status IN ('proposed', 'confirmed', 'superseded', 'rejected')),
  reason        TEXT NOT NULL CHECK (length(trim(reason)) > 0),
  changed_by    TEXT NOT NULL, -- grant id
  changed_at    TEXT NOT NULL CHECK (${instant('changed_at')}),
  PRIMARY KEY (rule_id, version),
  CHECK ((status = 'superseded') = (valid_until IS NOT NULL)),
  CHECK (superseded_by IS NULL OR status = 'superseded'),
  CHECK (valid_until IS NULL OR valid_until >= valid_from),
  CHECK (supersedes IS NULL OR supersedes <> rule_id),
  CHECK (superseded_by IS NULL OR superseded_by <> rule_id),
  CHECK ((source_id GLOB 'jamie:*') = (timestamp_s IS NOT NULL)),
  CHECK (length(quote) >= CASE WHEN source_id GLOB 'manual:*' THEN 1 ELSE 20 END)
);
CREATE TRIGGER rule_version_transition BEFORE INSERT ON rule_version BEGIN
  SELECT RAISE(ABORT, 'version-gap')
    WHERE NEW.version <> 1 + coalesce((SELECT max(p.version) FROM rule_version p WHERE p.rule_id = NEW.rule_id), 0);
  SELECT RAISE(ABORT, 'terminal-state')
    WHERE ${STATUS_BEFORE} IN ('rejected', 'superseded');
  SELECT RAISE(ABORT, 'invalid-transition')
    WHERE (NEW.version = 1 AND NEW.status <> 'proposed')
       OR (NEW.version > 1 AND NEW.status = 'proposed')
       OR (NEW.status = 'rejected' AND ${STATUS_BEFORE} <> 'proposed')
       OR (NEW.status = 'superseded' AND ${STATUS_BEFORE} <> 'confirmed');
  SELECT RAISE(ABORT, 'source-immutable')
    WHERE NEW.version > 1 AND EXISTS (
      SELECT 1 FROM rule_version f
      WHERE f.rule_id = NEW.rule_id AND f.version = 1
        AND (f.source_id IS NOT NEW.source_id OR f.quote IS NOT NEW.quote
             OR f.timestamp_s IS NOT NEW.timestamp_s OR f.source_link IS NOT NEW.source_link));
END;

-- The newest version of every rule.
CREATE VIEW current_version AS
  SELECT v.* FROM rule_version v
  WHERE v.version = (SELECT max(w.version) FROM rule_version w WHERE w.rule_id = v.rule_id);

-- What a person decided about the version that was shown.
CREATE TABLE decision (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id             TEXT NOT NULL,
  version             INTEGER NOT NULL, -- the version the person saw
  kind                TEXT NOT NULL CHECK (kind IN ('confirm', 'reject', 'revoke', 'review')),
  decided_by          TEXT NOT NULL CHECK (decided_by GLOB 'person:*'), -- grant id
  decided_by_identity TEXT NOT NULL,    -- e-mail address of the verified credential
  decided_at          TEXT NOT NULL CHECK (${instant('decided_at')}),
  reason              TEXT,
  new_version         INTEGER,          -- none for a review that changed nothing
  FOREIGN KEY (rule_id, version) REFERENCES rule_version (rule_id, version),
  FOREIGN KEY (rule_id, new_version) REFERENCES rule_version (rule_id, version),
  CHECK (kind NOT IN ('reject', 'revoke') OR length(trim(coalesce(reason, ''))) > 0),
  CHECK (kind = 'review' OR new_version IS NOT NULL),
  CHECK (new_version IS NULL OR new_version > version)
);
CREATE INDEX decision_rule ON decision (rule_id);
${appendOnly(APPEND_ONLY)}

-- Derived. Rules that are not rejected, by their newest version; rowid = rule.seq.
CREATE VIRTUAL TABLE rule_fts USING fts5 (
  keywords, statement, relations, quote, tokenize = 'unicode61 remove_diacritics 2');
-- Derived. Rejected rules, for the approval pages alone; rowid = rule.seq.
CREATE VIRTUAL TABLE rejected_fts USING fts5 (
  keywords, statement, relations, quote, tokenize = 'unicode61 remove_diacritics 2');
${accessTables(FIRST_OPERATIONS)}`;

export const init: Migration = { version: 1, up: db => void db.exec(SQL) };
