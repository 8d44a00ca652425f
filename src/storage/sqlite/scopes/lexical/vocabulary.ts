import type { VocabularyOfScope } from '../../../../rules/search/lexical/ports.ts';
import type { Db } from '../connect.ts';
import { changesOf } from './changes.ts';
import { TABLES } from './tables.ts';
import type { Reading } from './reading.ts';

/** Words whose frequencies are kept until the next write. */
const KEPT = 5000;
const PLAIN_VOCABULARY = 'CREATE VIRTUAL TABLE IF NOT EXISTS temp.rule_fts_vocab USING fts5vocab (main, rule_fts, row)';

/** The words of the tables that are searched. What was looked up is kept while nothing is written there. */
export function vocabularyOf(db: Db, tables: Reading['tables']): VocabularyOfScope {
  const { vocabulary, sizes } = TABLES[tables];
  if (tables === 'texts') db.exec(PLAIN_VOCABULARY);
  const changed = changesOf(db, tables);
  const size = db.prepare<[], number>(`SELECT count(*) FROM ${sizes}`).pluck();
  const look = {
    word: db.prepare<[string], number>(`SELECT doc FROM ${vocabulary.word} WHERE term = ?`).pluck(),
    stem: db.prepare<[string], number>(`SELECT doc FROM ${vocabulary.stem} WHERE term = ?`).pluck(),
  };
  const range = db.prepare<[string, string], { word: string; rules: number }>(
    `SELECT term AS word, doc AS rules FROM ${vocabulary.word} WHERE term >= ? AND term < ?`,
  );
  const kept = { word: new Map<string, number>(), stem: new Map<string, number>() };
  let rules = 0;

  function refresh(): void {
    if (!changed()) return;
    rules = size.get()!;
    kept.word.clear();
    kept.stem.clear();
  }

  return {
    get size() {
      refresh();
      return rules;
    },
    async frequencies(table, words) {
      refresh();
      const known = kept[table];
      if (known.size > KEPT) known.clear();
      const found = new Map<string, number>();
      for (const word of words) {
        const count = known.get(word) ?? look[table].get(word) ?? 0;
        known.set(word, count);
        if (count > 0) found.set(word, count);
      }
      return found;
    },
    async beginning(letters) {
      return range.all(letters, `${letters}\u{10FFFF}`);
    },
  };
}
