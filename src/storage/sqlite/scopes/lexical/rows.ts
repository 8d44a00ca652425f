import type { IndexedTexts } from '../../../../rules/search/lexical/index.ts';
import type { RuleVersion } from '../../../../rules/model.ts';
import type { Db } from '../connect.ts';

/** What of a version is indexed. A new one is proposed and has no end. */
export type IndexedVersion = Pick<
  RuleVersion,
  'ruleId' | 'keywords' | 'statement' | 'relations' | 'quote' | 'validFrom'
> &
  Partial<Pick<RuleVersion, 'validUntil' | 'status'>>;

/** Tables that are searched, and those that are filled to take their place. */
export type Generation = 'lex' | 'lex_next';

export interface GenerationRows {
  /** For a rule that has no rows yet. */
  insert(version: IndexedVersion, texts: IndexedTexts, trigram: boolean): void;
  remove(ruleId: string): void;
}

const COLUMNS = 'rowid, keywords, statement, relations, quote';

/** Writes rows of one generation of the lexical tables (contract 4.1), which must be there. */
export function generationRows(db: Db, generation: Generation): GenerationRows {
  const infix = generation === 'lex' ? '' : 'next_';
  const one = 'SELECT seq, @keywords, @statement, @relations, @quote FROM rule WHERE id = @ruleId';
  const word = db.prepare(`INSERT INTO lex_${infix}word (${COLUMNS}) ${one}`);
  const stem = db.prepare(`INSERT INTO lex_${infix}stem (${COLUMNS}) ${one}`);
  const tri = db.prepare(`INSERT INTO lex_${infix}tri (${COLUMNS}) ${one}`);
  const doc = db.prepare(`
    INSERT INTO lex_${infix}doc (seq, status, valid_from, valid_until)
    SELECT seq, @status, @validFrom, @validUntil FROM rule WHERE id = @ruleId`);
  const removals = ['word', 'stem', 'tri'].map(table =>
    db.prepare(`DELETE FROM lex_${infix}${table} WHERE rowid = (SELECT seq FROM rule WHERE id = ?)`),
  );
  const undoc = db.prepare(`DELETE FROM lex_${infix}doc WHERE seq = (SELECT seq FROM rule WHERE id = ?)`);
  return {
    insert({ ruleId, validFrom, validUntil = null, status = 'proposed' }, { plain, words, stems }, trigram) {
      word.run({ ...words, ruleId });
      stem.run({ ...stems, ruleId });
      if (trigram) tri.run({ ...plain, ruleId });
      doc.run({ ruleId, validFrom, validUntil, status });
    },
    remove(ruleId) {
      for (const removal of removals) removal.run(ruleId);
      undoc.run(ruleId);
    },
  };
}
