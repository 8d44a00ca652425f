import type { SubQuery } from '../../../../rules/search/lexical/index.ts';
import type { Reading } from './reading.ts';

export interface SearchedTables {
  /** FTS5 tables by way of looking. */
  readonly ways: Readonly<Record<SubQuery, string>>;
  /** `seq`, `status`, `valid_from` and `valid_until` of what is in them. */
  readonly docs: string;
  readonly vocabulary: { readonly word: string; readonly stem: string };
  /** A table with a row for each rule. */
  readonly sizes: string;
}

const CURRENT = `(SELECT r.seq, v.status, v.valid_from, v.valid_until
  FROM rule r JOIN current_version v ON v.rule_id = r.id WHERE v.status <> 'rejected')`;

/** Where is searched. Of plain texts a word is its own stem, and nobody asks for three letters of them. */
export const TABLES: Readonly<Record<Reading['tables'], SearchedTables>> = {
  lex: {
    ways: {
      word: 'lex_word',
      syn: 'lex_word',
      fuzzy: 'lex_word',
      stem: 'lex_stem',
      prf: 'lex_stem',
      tri: 'lex_tri',
    },
    docs: 'lex_doc',
    vocabulary: { word: 'lex_word_vocab', stem: 'lex_stem_vocab' },
    sizes: 'lex_doc',
  },
  texts: {
    ways: {
      word: 'rule_fts',
      syn: 'rule_fts',
      fuzzy: 'rule_fts',
      stem: 'rule_fts',
      prf: 'rule_fts',
      tri: 'rule_fts',
    },
    docs: CURRENT,
    vocabulary: { word: 'temp.rule_fts_vocab', stem: 'temp.rule_fts_vocab' },
    sizes: 'rule_fts_docsize',
  },
};
