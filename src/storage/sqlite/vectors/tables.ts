const TABLES = `
-- generation: one row a space that vectors are kept of. At most one serves; another may be filling up beside it.
--   generation  number of it, never used again
--   space       spaceKey of what follows
--   model, revision, dim, semantic, languages   as VectorSpace; languages is a JSON list or NULL
--   source      JSON, how its embedder is opened; no secret
--   serving     1: it answers searches
CREATE TABLE generation (
  generation INTEGER PRIMARY KEY AUTOINCREMENT,
  space TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL,
  revision TEXT NOT NULL,
  dim INTEGER NOT NULL,
  semantic INTEGER NOT NULL,
  languages TEXT,
  source TEXT NOT NULL,
  serving INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX generation_serving ON generation (serving) WHERE serving = 1;

-- vector: one row a text and generation. Texts are known by their hash, so that a page that is derived again, moved or
-- brought back costs nothing, and no note that a block was embedded can be wrong (S19).
--   vector_id   number of the row
--   generation  generation.generation, which tells model, revision and dimension
--   text_hash   first 16 bytes of SHA-256 of the passage
--   unit        number i is the i-th of numbers times unit
--   numbers     16 bits each, little endian
CREATE TABLE vector (
  vector_id INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  text_hash BLOB NOT NULL,
  unit REAL NOT NULL,
  numbers BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX vector_by_text ON vector (generation, text_hash);

-- parked: texts that an embedder cannot take; they are not tried again before a reload.
--   block     a block that says so: page_id#anchor
--   reason    what the embedder said
CREATE TABLE parked (
  generation INTEGER NOT NULL,
  text_hash BLOB NOT NULL,
  block TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (generation, text_hash)
) STRICT, WITHOUT ROWID;

-- spent: texts that were sent to a service, by day.
--   day    YYYY-MM-DD, UTC
CREATE TABLE spent (
  day TEXT PRIMARY KEY,
  texts INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

const ASKED = `
-- asked: texts that a model of this process is being asked for. A row that a start finds was asked when the process ended.
--   block   a block that says so: page_id#anchor
--   alone   how many times the process was about to ask for this text and no other without an answer since; at 2 it is left out
CREATE TABLE asked (
  generation INTEGER NOT NULL,
  text_hash BLOB NOT NULL,
  block TEXT NOT NULL,
  alone INTEGER NOT NULL,
  PRIMARY KEY (generation, text_hash)
) STRICT, WITHOUT ROWID;
`;

/** Step n brings schema n to n + 1. A file of a later schema is made anew, and every text is embedded again. */
export const VECTORS_STEPS: readonly string[] = [TABLES, ASKED];
