import { FIRST_OPERATIONS, moreOperations } from './access-tables.ts';
import { GRAPH_OPERATIONS } from './0002-graph.ts';
import { appendOnly, instant } from './forms.ts';
import type { Migration } from './migration.ts';

const OPERATIONS = [
  ...FIRST_OPERATIONS,
  ...GRAPH_OPERATIONS,
  'read_source',
  'retract',
  'list_exceptions',
  'list_auto',
] as const;

const MODES = `('manual', 'classified', 'autonomous')`;

/** What proposals are classified as, what is known of a mail's sender, and who or what decided (contract 4.1, rules-gaps 14). */
const SQL = `
-- What a proposal was taken for when it came.
CREATE TABLE classification (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  ruleset TEXT NOT NULL,
  mode    TEXT NOT NULL CHECK (mode IN ${MODES}),
  class   TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('auto', 'wait')),
  reasons TEXT NOT NULL CHECK (json_valid(reasons) AND json_type(reasons) = 'array'),
  at      TEXT NOT NULL CHECK (${instant('at')}),
  FOREIGN KEY (rule_id, version) REFERENCES rule_version (rule_id, version),
  CHECK (mode <> 'manual' OR outcome = 'wait')
);
CREATE INDEX classification_rule ON classification (rule_id);

-- How a mail proved where it came from, as its feeder said.
CREATE TABLE source_auth (
  source_id              TEXT PRIMARY KEY REFERENCES source (id),
  from_address           TEXT NOT NULL,
  authentication_results TEXT NOT NULL CHECK (json_valid(authentication_results) AND json_type(authentication_results) = 'array'),
  spf                    TEXT, -- the result that stands there; none when there is none
  dkim                   TEXT,
  dmarc                  TEXT,
  at                     TEXT NOT NULL CHECK (${instant('at')})
);

-- Where a source holds what looks like a secret; never the secret.
CREATE TABLE secret_finding (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id  TEXT NOT NULL REFERENCES source (id),
  attachment INTEGER,           -- its number; none for the text of the source
  segment    INTEGER,           -- its number; meetings only
  kind       TEXT NOT NULL,
  start      INTEGER NOT NULL CHECK (start >= 0), -- UTF-16 units
  length     INTEGER NOT NULL CHECK (length >= 1),
  at         TEXT NOT NULL CHECK (${instant('at')}),
  CHECK (attachment IS NULL OR segment IS NULL)
);
CREATE INDEX secret_finding_source ON secret_finding (source_id);

-- Where the quote of a rule was found, in UTF-16 units of the text as received.
CREATE TABLE quote_match (
  rule_id TEXT NOT NULL REFERENCES rule (id),
  part    INTEGER NOT NULL CHECK (part >= 0),    -- 0: the mail; else the number of the segment
  start   INTEGER NOT NULL CHECK (start >= 0),
  stop    INTEGER NOT NULL CHECK (stop > start), -- the unit after the last one
  PRIMARY KEY (rule_id, part)
) WITHOUT ROWID;

CREATE TEMP TABLE kept_decision AS SELECT * FROM decision;
DROP TABLE decision;
-- What a person, or the policy in their place, decided about a version.
CREATE TABLE decision (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id             TEXT NOT NULL,
  version             INTEGER NOT NULL, -- the version that was seen
  kind                TEXT NOT NULL CHECK (kind IN ('confirm', 'reject', 'revoke', 'review', 'retract')),
  decided_by          TEXT NOT NULL,    -- grant id, or policy@<ruleset>
  decided_by_identity TEXT NOT NULL,    -- e-mail address of the verified credential, or the policy again
  decided_at          TEXT NOT NULL CHECK (${instant('decided_at')}),
  reason              TEXT,
  new_version         INTEGER,          -- none for a review that changed nothing
  origin              TEXT NOT NULL CHECK (origin IN ('grant', 'auto')),
  mode                TEXT NOT NULL CHECK (mode IN ${MODES}), -- of the scope at that time
  classification_id   INTEGER REFERENCES classification (id),
  FOREIGN KEY (rule_id, version) REFERENCES rule_version (rule_id, version),
  FOREIGN KEY (rule_id, new_version) REFERENCES rule_version (rule_id, version),
  CHECK (kind NOT IN ('reject', 'revoke', 'retract') OR length(trim(coalesce(reason, ''))) > 0),
  CHECK (kind = 'review' OR new_version IS NOT NULL),
  CHECK (new_version IS NULL OR new_version > version),
  CHECK (CASE origin WHEN 'grant' THEN decided_by GLOB 'person:*' AND kind <> 'retract'
    ELSE decided_by GLOB 'policy@*' AND kind IN ('confirm', 'retract') END),
  CHECK (origin = 'grant' OR kind = 'retract' OR (mode <> 'manual' AND classification_id IS NOT NULL))
);
CREATE INDEX decision_rule ON decision (rule_id);
INSERT INTO decision SELECT *, 'grant', 'manual', NULL FROM temp.kept_decision;
DROP TABLE temp.kept_decision;

-- A decision says what the version it made says. After the insert, so that a row out of form is told first.
CREATE TRIGGER decision_fits AFTER INSERT ON decision BEGIN
  SELECT RAISE(ABORT, 'decision-mismatch') FROM rule_version v
    WHERE v.rule_id = NEW.rule_id AND v.version = NEW.new_version
      AND v.status <> CASE WHEN NEW.kind IN ('confirm', 'review') THEN 'confirmed'
                           WHEN NEW.kind = 'reject' THEN 'rejected' ELSE 'superseded' END;
END;
-- The policy adopts proposals with a checked quote that replace nothing, and takes back only what it adopted (contract 1.2).
CREATE TRIGGER decision_by_policy AFTER INSERT ON decision WHEN NEW.origin = 'auto' BEGIN
  SELECT RAISE(ABORT, 'not-for-policy') FROM rule_version v
    WHERE v.rule_id = NEW.rule_id AND v.version = NEW.version AND NEW.kind = 'confirm'
      AND (v.status <> 'proposed' OR v.supersedes IS NOT NULL OR v.source_id GLOB 'manual:*');
  SELECT RAISE(ABORT, 'not-for-policy')
    WHERE NEW.kind = 'confirm' AND (SELECT outcome FROM classification WHERE id = NEW.classification_id
      AND rule_id = NEW.rule_id) IS NOT 'auto';
  SELECT RAISE(ABORT, 'not-for-policy')
    WHERE NEW.kind = 'retract' AND (SELECT d.origin FROM decision d WHERE d.rule_id = NEW.rule_id AND d.id < NEW.id
      AND d.kind IN ('confirm', 'review') ORDER BY d.id DESC LIMIT 1) IS NOT 'auto';
END;
${appendOnly({
  decision: ['id'],
  classification: ['id'],
  source_auth: ['source_id'],
  secret_finding: ['id'],
  quote_match: ['rule_id, part'],
})}
${moreOperations(OPERATIONS)}`;

export const approval: Migration = { version: 4, up: db => void db.exec(SQL) };
