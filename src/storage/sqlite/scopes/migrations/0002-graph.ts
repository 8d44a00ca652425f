import { FIRST_OPERATIONS, moreOperations } from './access-tables.ts';
import { appendOnly, day, instant } from './forms.ts';
import type { Migration } from './migration.ts';

/** Operations that come with the graph (contract 4.1). */
export const GRAPH_OPERATIONS = [
  'resolve_entity',
  'read_entity',
  'create_entity',
  'move_entity',
  'update_entity',
  'propose_link',
  'list_links',
  'list_structure',
  'review_structure',
  'archive_entity',
  'export',
] as const;

/** What rules are about, and how it hangs together (contract 14, rules-gaps 6). */
const SQL = `
-- An entity's identity. What it is called and where it stands is in its versions.
CREATE TABLE entity (
  seq        INTEGER PRIMARY KEY,   -- largest so far + 1; also the rowid in entity_fts
  id         TEXT NOT NULL UNIQUE,  -- <scope>-e<seq, four digits or more>
  created_at TEXT NOT NULL CHECK (${instant('created_at')}),
  created_by TEXT NOT NULL          -- grant id
);
CREATE TRIGGER entity_id_in_scope BEFORE INSERT ON entity
WHEN NEW.id <> (SELECT scope FROM meta) || '-e' || printf('%04d', NEW.seq)
BEGIN SELECT RAISE(ABORT, 'entity-id-not-in-scope'); END;

-- An entity from one change to the next; a move is a version.
CREATE TABLE entity_version (
  entity_id  TEXT NOT NULL REFERENCES entity (id),
  version    INTEGER NOT NULL CHECK (version >= 1),
  name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  type       TEXT NOT NULL,
  parent     TEXT REFERENCES entity (id),
  aliases    TEXT NOT NULL CHECK (json_valid(aliases) AND json_type(aliases) = 'array' AND json_array_length(aliases) <= 20),
  status     TEXT NOT NULL CHECK (status IN ('active', 'archived')),
  origin     TEXT NOT NULL CHECK (origin IN ('mcp', 'api', 'approval', 'deterministic')),
  confirmed  INTEGER NOT NULL CHECK (confirmed IN (0, 1)), -- by a person
  changed_by TEXT NOT NULL,
  changed_at TEXT NOT NULL CHECK (${instant('changed_at')}),
  PRIMARY KEY (entity_id, version),
  CHECK (parent IS NULL OR parent <> entity_id),
  CHECK (confirmed = 0 OR origin IN ('approval', 'deterministic'))
);
CREATE TRIGGER entity_version_next BEFORE INSERT ON entity_version
WHEN NEW.version <> 1 + coalesce((SELECT max(p.version) FROM entity_version p WHERE p.entity_id = NEW.entity_id), 0)
BEGIN SELECT RAISE(ABORT, 'version-gap'); END;

-- Derived. Every entity under each of its ancestors, itself included at depth 0.
CREATE TABLE entity_closure (
  ancestor   TEXT NOT NULL REFERENCES entity (id),
  descendant TEXT NOT NULL REFERENCES entity (id),
  depth      INTEGER NOT NULL CHECK (depth >= 0),
  PRIMARY KEY (ancestor, descendant)
) WITHOUT ROWID;
CREATE INDEX entity_closure_up ON entity_closure (descendant, depth);

-- Derived. Names and aliases by parts of three characters; rowid = entity.seq.
CREATE VIRTUAL TABLE entity_fts USING fts5 (name, aliases, tokenize = 'trigram remove_diacritics 1');

-- What hangs on what. A change is a row with the same ends and type and the next version.
CREATE TABLE link (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  from_ref   TEXT NOT NULL,
  to_ref     TEXT NOT NULL,
  type       TEXT NOT NULL CHECK (type IN ('concerns', 'mentions', 'belongs_to', 'contradicts')),
  version    INTEGER NOT NULL CHECK (version >= 1),
  origin     TEXT NOT NULL CHECK (origin IN ('deterministic', 'proposed', 'human')),
  confidence REAL CHECK (confidence IS NULL OR confidence BETWEEN 0 AND 1),
  quote      TEXT,
  open_from  TEXT NOT NULL CHECK (${day('open_from')}),
  open_until TEXT CHECK (open_until IS NULL OR (${day('open_until')} AND open_until >= open_from)),
  changed_by TEXT NOT NULL,
  changed_at TEXT NOT NULL CHECK (${instant('changed_at')}),
  UNIQUE (from_ref, to_ref, type, version),
  CHECK (from_ref <> to_ref)
);
CREATE INDEX link_to ON link (to_ref, type);

-- What a person thought of a change to the structure.
CREATE TABLE review (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  subject             TEXT NOT NULL, -- entity/<id>@<n>, or link/<id>
  verdict             TEXT NOT NULL CHECK (verdict IN ('confirm', 'revert', 'archive', 'reject')),
  decided_by          TEXT NOT NULL CHECK (decided_by GLOB 'person:*'),
  decided_by_identity TEXT NOT NULL,
  decided_at          TEXT NOT NULL CHECK (${instant('decided_at')}),
  reason              TEXT
);
CREATE INDEX review_subject ON review (subject);
${appendOnly({
  entity: ['seq', 'id'],
  entity_version: [], // numbered without gaps by a trigger of its own
  link: ['id', 'from_ref, to_ref, type, version'],
  review: ['id'],
})}
${moreOperations([...FIRST_OPERATIONS, ...GRAPH_OPERATIONS])}`;

export const graph: Migration = { version: 2, up: db => void db.exec(SQL) };
