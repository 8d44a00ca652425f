/** Documents whose words wait in memory and in recent_doc before they go into postings. */
export const RECENT_DOCS = 16_384;

export const LEXICAL_TABLES = `
-- lexical: one row, how far the postings are. Documents are numbered in the order in which they were indexed.
--   sealed       postings hold every document up to this number; what they hold beyond it does not count yet
--   recent_from  recent_doc has every live document after this number
--   gone_from    gone_doc has every row after this seq
--   listed       documents that went into postings since they were last swept, and those that were left then
--   epoch        grows when the rest of these tables was mended, so that nobody trusts what was read before
CREATE TABLE lexical (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sealed INTEGER NOT NULL,
  recent_from INTEGER NOT NULL,
  gone_from INTEGER NOT NULL,
  listed INTEGER NOT NULL,
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO lexical VALUES (1, 0, 0, 0, 0, 0);

-- term: every key that a document was found by.
--   docs  documents in its postings, also those that are gone
CREATE TABLE term (
  term_id INTEGER PRIMARY KEY,
  term TEXT NOT NULL UNIQUE,
  docs INTEGER NOT NULL
) STRICT;

-- doc: one row an indexed block. A block that is indexed again is a new document.
--   block_id      block.block_id
--   access_class  page.access_class
--   overlay       1: its page belongs to a scenario
--   length        words, at most 65535
CREATE TABLE doc (
  block_id INTEGER PRIMARY KEY,
  doc_no INTEGER NOT NULL,
  access_class INTEGER NOT NULL,
  overlay INTEGER NOT NULL,
  length INTEGER NOT NULL
) STRICT;

-- recent_doc: documents that readers may not know yet, with their words.
--   terms  pairs of varint: term_id, weight in quarters
CREATE TABLE recent_doc (
  doc_no INTEGER PRIMARY KEY,
  block_id INTEGER NOT NULL,
  access_class INTEGER NOT NULL,
  overlay INTEGER NOT NULL,
  length INTEGER NOT NULL,
  terms BLOB NOT NULL
) STRICT;

-- gone_doc: documents that readers may still hold.
CREATE TABLE gone_doc (
  seq INTEGER PRIMARY KEY,
  doc_no INTEGER NOT NULL
) STRICT;

-- posting: documents of a term in rising order, in parts of at most a database page.
--   part_id   term_id * 2^20 + part
--   last_doc  the last document in it
--   data      for each document: varint of its number less the one before, first from 0, and one byte of weight in quarters
CREATE TABLE posting (
  part_id INTEGER PRIMARY KEY,
  last_doc INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
`;

export const PARTS = 2 ** 20;
