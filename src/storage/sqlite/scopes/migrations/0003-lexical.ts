import type { Migration } from './migration.ts';

/**
 * Tables that the lexical stage searches (contract 4.1, 7), all derived from the newest versions of rules that are not rejected;
 * rowid = rule.seq.
 */
const SQL = `
CREATE VIRTUAL TABLE lex_word USING fts5 (
  keywords, statement, relations, quote, tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE lex_stem USING fts5 (
  keywords, statement, relations, quote, tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE lex_tri USING fts5 (
  keywords, statement, relations, quote, tokenize = 'trigram remove_diacritics 1');
CREATE VIRTUAL TABLE lex_word_vocab USING fts5vocab (lex_word, row);
CREATE VIRTUAL TABLE lex_stem_vocab USING fts5vocab (lex_stem, row);

-- What of an indexed version is filtered by.
CREATE TABLE lex_doc (
  seq         INTEGER PRIMARY KEY REFERENCES rule (seq),
  status      TEXT NOT NULL CHECK (status IN ('proposed', 'confirmed', 'superseded')),
  valid_from  TEXT NOT NULL,
  valid_until TEXT
);

-- How the tables were filled. Another build of the analysis fills them anew.
CREATE TABLE lex_meta (
  singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
  build     TEXT NOT NULL
);
`;

export const lexical: Migration = { version: 3, up: db => void db.exec(SQL) };
