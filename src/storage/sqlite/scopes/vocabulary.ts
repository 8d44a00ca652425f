import type { VocabularyOfScope } from '../../../rules/search/lexical/ports.ts';
import type { Db } from './connect.ts';
import { changesOf } from './lexical-changes.ts';

/** Words whose frequencies are kept until the next write. */
const KEPT = 5000;

/** The words of the lexical tables. What was looked up is kept while nothing is written there. */
export function vocabularyOf(db: Db): VocabularyOfScope {
  const changed = changesOf(db);
  const size = db.prepare<[], number>('SELECT count(*) FROM lex_doc').pluck();
  const look = {
    word: db.prepare<[string], number>('SELECT doc FROM lex_word_vocab WHERE term = ?').pluck(),
    stem: db.prepare<[string], number>('SELECT doc FROM lex_stem_vocab WHERE term = ?').pluck(),
  };
  const range = db.prepare<[string, string], { word: string; rules: number }>(
    'SELECT term AS word, doc AS rules FROM lex_word_vocab WHERE term >= ? AND term < ?',
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
