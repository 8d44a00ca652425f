import type { RuleVersion } from '../../../rules/model.ts';
import type { Db } from './connect.ts';
import type { IndexedVersion } from './lexical/rows.ts';
import type { ScopeLexical } from './lexical/scope-lexical.ts';

type Texts = Pick<RuleVersion, 'ruleId' | 'keywords' | 'statement' | 'relations' | 'quote'>;

/** The four texts of a rule that are searched, under the names of their columns (contract 4.1). */
export const searchedTexts = ({ ruleId, keywords, statement, relations, quote }: Texts) => ({
  ruleId,
  keywords: keywords.join(' '),
  statement,
  relations: relations.map(({ kind, name }) => `${kind} ${name}`).join(' '),
  quote,
});

export interface SearchRows {
  /** Keeps what is searched in step with the newest version; to be called in the transaction that made it. */
  replace(version: IndexedVersion): void;
  remove(ruleId: string): void;
}

export function searchRows(db: Db, lexical: Pick<ScopeLexical, 'replace' | 'remove'>): SearchRows {
  const remove = db.prepare('DELETE FROM rule_fts WHERE rowid = (SELECT seq FROM rule WHERE id = ?)');
  const insert = db.prepare(`
    INSERT INTO rule_fts (rowid, keywords, statement, relations, quote)
    SELECT seq, @keywords, @statement, @relations, @quote FROM rule WHERE id = @ruleId`);
  return {
    replace(version) {
      remove.run(version.ruleId);
      insert.run(searchedTexts(version));
      lexical.replace(version);
    },
    remove(ruleId) {
      remove.run(ruleId);
      lexical.remove(ruleId);
    },
  };
}
