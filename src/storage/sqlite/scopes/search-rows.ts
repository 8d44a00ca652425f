import type { RuleVersion } from '../../../rules/model.ts';
import type { Db } from './connect.ts';

export type SearchedRule = Pick<RuleVersion, 'ruleId' | 'keywords' | 'statement' | 'relations' | 'quote'>;

/** The four texts of a rule that are searched, under the names of their columns (contract 4.1). */
export const searchedTexts = ({ ruleId, keywords, statement, relations, quote }: SearchedRule) => ({
  ruleId,
  keywords: keywords.join(' '),
  statement,
  relations: relations.map(({ kind, name }) => `${kind} ${name}`).join(' '),
  quote,
});

/** Keeps the search row of a rule in step with its newest version; to be called in the transaction that made it. */
export function searchRows(db: Db): { replace(version: SearchedRule): void; remove(ruleId: string): void } {
  const remove = db.prepare('DELETE FROM rule_fts WHERE rowid = (SELECT seq FROM rule WHERE id = ?)');
  const insert = db.prepare(`
    INSERT INTO rule_fts (rowid, keywords, statement, relations, quote)
    SELECT seq, @keywords, @statement, @relations, @quote FROM rule WHERE id = @ruleId`);
  return {
    replace(version) {
      remove.run(version.ruleId);
      insert.run(searchedTexts(version));
    },
    remove: ruleId => void remove.run(ruleId),
  };
}
