import type { Relation } from '../../../rules/schema.ts';
import { wordsOf, type Analysis } from '../../../rules/search/lexical/index.ts';
import type { Db } from './connect.ts';
import { exactlyAnyOf } from './fts-query.ts';
import { lexicalRows } from './lexical-rows.ts';

type Wanted = Pick<Relation, 'kind' | 'name'>;

/**
 * Ids of confirmed rules that hold on a day and share one of the relations, newest first. The words of relations are indexed, so
 * that few rules are looked at; whether a relation is the same is then decided by kind and name.
 */
export function sharingIn(db: Db, analysis: Analysis): (relations: readonly Wanted[], day: string) => string[] {
  lexicalRows(db, analysis);
  const found = db
    .prepare<[{ query: string; wanted: string; day: string }], string>(`
      SELECT v.rule_id
      FROM (SELECT rowid AS seq FROM lex_word WHERE lex_word MATCH @query) m
        JOIN lex_doc d ON d.seq = m.seq AND d.status = 'confirmed' AND d.valid_from <= @day
        JOIN rule r ON r.seq = m.seq
        JOIN current_version v ON v.rule_id = r.id
      WHERE EXISTS (
        SELECT 1 FROM json_each(v.relations) e JOIN json_each(@wanted) w
          ON w.value ->> 'kind' = e.value ->> 'kind' AND w.value ->> 'name' = lowered(e.value ->> 'name'))
      ORDER BY julianday(v.said_at) DESC, v.rule_id`)
    .pluck();
  return (relations, day) => {
    const phrases = relations.map(({ kind, name }) => [kind, ...wordsOf(name)]);
    const query = exactlyAnyOf(phrases);
    if (query === undefined) return [];
    const wanted = relations.map(({ kind, name }) => ({ kind, name: name.toLowerCase() }));
    return found.all({ query: `relations : (${query})`, wanted: JSON.stringify(wanted), day });
  };
}
