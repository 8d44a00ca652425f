/** Operations that the first schema knows by name (contract 4.1). */
export const FIRST_OPERATIONS = [
  'search',
  'read_rule',
  'list_rules',
  'provenance',
  'propose',
  'list_proposals',
  'list_rejected',
  'decide',
  'store_source',
  'feedback',
  'list_scopes',
  'status',
] as const;

/** The log of accesses and what callers thought of searches, for a log that knows these operations. */
export const accessTables = (operations: readonly string[]): string => `
-- Every access to the scope. The text of a request is never stored, only its hash.
CREATE TABLE search_log (
  id           TEXT PRIMARY KEY, -- shared by all scopes of one request
  at           TEXT NOT NULL,
  grant_id     TEXT NOT NULL,
  channel      TEXT NOT NULL CHECK (channel IN ('mcp', 'api', 'approval', 'proactive', 'task')),
  operation    TEXT NOT NULL CHECK (operation IN (${operations.map(name => `'${name}'`).join(', ')})),
  outcome      INTEGER NOT NULL, -- the status of the answer, as HTTP counts
  cross_scope  INTEGER NOT NULL CHECK (cross_scope IN (0, 1)),
  refs         TEXT NOT NULL CHECK (json_valid(refs)), -- what was shown or touched, with versions
  terms        TEXT, -- JSON, of a search only, like the next two
  variants     TEXT,
  stages       TEXT,
  input_sha256 TEXT,
  CHECK (operation <> 'search' OR (terms IS NOT NULL AND variants IS NOT NULL AND stages IS NOT NULL))
);

-- What a caller thought of a search.
CREATE TABLE feedback (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  search_id TEXT NOT NULL REFERENCES search_log (id),
  ref       TEXT NOT NULL, -- rule/<id>@<n> for a verdict, rule/<id> for a rule that was missing
  verdict   TEXT NOT NULL CHECK (verdict IN ('relevant', 'irrelevant', 'missing')),
  given_by  TEXT NOT NULL,
  given_at  TEXT NOT NULL
);
`;

/** Makes both anew with more operations, every row kept: SQLite cannot change a CHECK. */
export const moreOperations = (operations: readonly string[]): string => `
CREATE TEMP TABLE kept_log AS SELECT * FROM search_log;
CREATE TEMP TABLE kept_feedback AS SELECT * FROM feedback;
DROP TABLE feedback;
DROP TABLE search_log;
${accessTables(operations)}
INSERT INTO search_log SELECT * FROM temp.kept_log;
INSERT INTO feedback SELECT * FROM temp.kept_feedback;
DROP TABLE temp.kept_log;
DROP TABLE temp.kept_feedback;
`;
