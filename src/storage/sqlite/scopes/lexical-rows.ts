import type { Analysis, IndexedTexts } from '../../../rules/search/lexical/index.ts';
import type { RuleVersion } from '../../../rules/model.ts';
import type { Db } from './connect.ts';
import { VERSION_FIELDS, versionOf, type VersionRow } from './version-rows.ts';

/** What of a version is indexed. A new one is proposed and has no end. */
export type IndexedVersion = Pick<
  RuleVersion,
  'ruleId' | 'keywords' | 'statement' | 'relations' | 'quote' | 'validFrom'
> &
  Partial<Pick<RuleVersion, 'validUntil' | 'status'>>;

export interface LexicalRows {
  /** For a rule that has no rows yet. */
  insert(version: IndexedVersion, texts: IndexedTexts): void;
  remove(ruleId: string): void;
}

const CHUNK = 500;
const COLUMNS = 'rowid, keywords, statement, relations, quote';

/** The rows of the lexical tables (contract 4.1). Tables that another build of the analysis filled are filled anew first. */
export function lexicalRows(db: Db, analysis: Analysis): LexicalRows {
  const rows = plainRows(db, analysis.settings.features.trigram);
  const build = db.prepare<[], string>('SELECT build FROM lex_meta').pluck();
  if (build.get() !== analysis.build) refill(db, analysis, rows);
  return rows;
}

function refill(db: Db, analysis: Analysis, rows: LexicalRows): void {
  const current = db.prepare<[after: number, limit: number], VersionRow & { seq: number }>(`
    SELECT r.seq, ${VERSION_FIELDS} FROM rule r JOIN current_version v ON v.rule_id = r.id
    WHERE r.seq > ? AND v.status <> 'rejected' ORDER BY r.seq LIMIT ?`);
  const built = db.prepare(`
    INSERT INTO lex_meta (singleton, build) VALUES (1, ?) ON CONFLICT (singleton) DO UPDATE SET build = excluded.build`);
  db.transaction(() => {
    for (const table of ['lex_word', 'lex_stem', 'lex_tri', 'lex_doc']) db.exec(`DELETE FROM ${table}`);
    // A connection cannot write while it steps through a statement: so many rules are read at a time.
    let after = 0;
    for (let some = current.all(after, CHUNK); some.length > 0; some = current.all(after, CHUNK)) {
      for (const { seq, ...row } of some) {
        const version = versionOf(row);
        rows.insert(version, analysis.textsOf(version));
        after = seq;
      }
    }
    built.run(analysis.build);
  }).immediate();
}

function plainRows(db: Db, trigram: boolean): LexicalRows {
  const one = 'SELECT seq, @keywords, @statement, @relations, @quote FROM rule WHERE id = @ruleId';
  const word = db.prepare(`INSERT INTO lex_word (${COLUMNS}) ${one}`);
  const stem = db.prepare(`INSERT INTO lex_stem (${COLUMNS}) ${one}`);
  const tri = db.prepare(`INSERT INTO lex_tri (${COLUMNS}) ${one}`);
  const doc = db.prepare(`
    INSERT INTO lex_doc (seq, status, valid_from, valid_until)
    SELECT seq, @status, @validFrom, @validUntil FROM rule WHERE id = @ruleId`);
  const removals = ['lex_word', 'lex_stem', 'lex_tri'].map(table =>
    db.prepare(`DELETE FROM ${table} WHERE rowid = (SELECT seq FROM rule WHERE id = ?)`),
  );
  const undoc = db.prepare('DELETE FROM lex_doc WHERE seq = (SELECT seq FROM rule WHERE id = ?)');
  return {
    insert({ ruleId, validFrom, validUntil = null, status = 'proposed' }, { plain, words, stems }) {
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
