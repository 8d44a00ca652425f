import type { Migration } from '../../scopes/migrations/migration.ts';

/** One file an instance (contract 4.2). */
const SQL = `
CREATE TABLE meta (
  singleton      INTEGER PRIMARY KEY CHECK (singleton = 1),
  schema_version INTEGER NOT NULL, -- number of the last migration
  created_at     TEXT NOT NULL
);

-- Who may do what in which scope. A grant is added, renamed and disabled, never changed otherwise.
CREATE TABLE grant (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE, -- <kind>:<seq>
  kind        TEXT NOT NULL CHECK (kind IN ('person', 'service')),
  auth        TEXT NOT NULL CHECK (auth IN ('email', 'access-service', 'bearer')),
  identity    TEXT NOT NULL,        -- e-mail address in lower case, common name, or SHA-256 of the bearer in hex
  scopes      TEXT NOT NULL CHECK (json_valid(scopes) AND json_array_length(scopes) >= 1),
  rights      TEXT NOT NULL CHECK (json_valid(rights) AND json_array_length(rights) >= 1), -- canonical JSON
  label       TEXT,
  active      INTEGER NOT NULL CHECK (active IN (0, 1)),
  created_at  TEXT NOT NULL,
  disabled_at TEXT,
  CHECK ((kind = 'person') = (auth = 'email')),
  CHECK (kind = 'person' OR instr(rights, '"decide"') = 0),
  CHECK ((active = 1) = (disabled_at IS NULL))
);
CREATE UNIQUE INDEX grant_active_identity ON grant (auth, identity) WHERE active = 1;
-- Either the grant is disabled, or its label alone changes.
CREATE TRIGGER grant_disable_only BEFORE UPDATE ON grant
WHEN NOT (
  NEW.seq IS OLD.seq AND NEW.id IS OLD.id AND NEW.kind IS OLD.kind AND NEW.auth IS OLD.auth
  AND NEW.identity IS OLD.identity AND NEW.scopes IS OLD.scopes AND NEW.rights IS OLD.rights
  AND NEW.created_at IS OLD.created_at
  AND (
    (OLD.active = 1 AND NEW.active = 0 AND NEW.disabled_at IS NOT NULL AND NEW.label IS OLD.label)
    OR (NEW.active IS OLD.active AND NEW.disabled_at IS OLD.disabled_at)
  )
)
BEGIN SELECT RAISE(ABORT, 'grant-disable-only'); END;
CREATE TRIGGER grant_no_delete BEFORE DELETE ON grant BEGIN SELECT RAISE(ABORT, 'append-only'); END;
-- A REPLACE removes rows without firing the trigger above, unless the connection asks for that.
CREATE TRIGGER grant_no_replace BEFORE INSERT ON grant
WHEN EXISTS (SELECT 1 FROM grant WHERE seq = NEW.seq OR id = NEW.id
  OR (active = 1 AND NEW.active = 1 AND auth = NEW.auth AND identity = NEW.identity))
BEGIN SELECT RAISE(ABORT, 'append-only'); END;

-- How many rule versions a scope file had at least: fewer means that some were lost.
CREATE TABLE backup_state (
  scope         TEXT PRIMARY KEY,
  created_at    TEXT NOT NULL, -- of the scope file
  version_count INTEGER NOT NULL CHECK (version_count >= 0),
  counted_at    TEXT NOT NULL
);
CREATE TRIGGER backup_state_monotonic BEFORE UPDATE OF version_count ON backup_state
WHEN NEW.version_count < OLD.version_count BEGIN SELECT RAISE(ABORT, 'count-decreased'); END;
CREATE TRIGGER backup_state_no_less BEFORE INSERT ON backup_state
WHEN EXISTS (SELECT 1 FROM backup_state WHERE scope = NEW.scope AND version_count > NEW.version_count)
BEGIN SELECT RAISE(ABORT, 'count-decreased'); END;
CREATE TRIGGER backup_state_no_delete BEFORE DELETE ON backup_state BEGIN SELECT RAISE(ABORT, 'append-only'); END;
`;

export const init: Migration = { version: 1, up: db => void db.exec(SQL) };
