import type { Migration } from './migration.ts';

/** What the semantic stage compares (contract 15.4, rules-gaps 14). Derived; each vector carries what made it. */
const SQL = `
CREATE TABLE vec_rule (
  seq      INTEGER NOT NULL REFERENCES rule (seq),
  version  INTEGER NOT NULL CHECK (version >= 1),
  model    TEXT NOT NULL,
  dim      INTEGER NOT NULL CHECK (dim >= 1),
  revision TEXT NOT NULL, -- of the model
  vector   BLOB NOT NULL, -- 32-bit floats, little-endian
  PRIMARY KEY (seq, model),
  CHECK (length(vector) = 4 * dim)
) WITHOUT ROWID;
`;

export const vectors: Migration = { version: 5, up: db => void db.exec(SQL) };
