import type { Relation } from '../../../rules/schema.ts';
import { wordsOf } from '../../../rules/search/lexical/index.ts';
import type { Db } from './connect.ts';
import { exactlyAnyOf } from './fts-query.ts';
import { changesOf } from './lexical/changes.ts';
import type { Reading, Readings } from './lexical/reading.ts';
import { TABLES } from './lexical/tables.ts';

type Wanted = Pick<Relation, 'kind' | 'name'>;

/** Relations whose rules are kept until the next write. */
const KEPT = 500;

interface Sharing {
  readonly ruleId: string;
  readonly validFrom: string;
  /** When it was said, in milliseconds. */
  readonly at: number;
}

/**
 * Ids of confirmed rules that hold on a day and share one of the relations, newest first. The words of relations are indexed, so
 * that few rules are looked at; whether a relation is the same is then decided by kind and name.
 */
export function sharingIn(db: Db, readings: Readings): (relations: readonly Wanted[], day: string) => string[] {
  const by: Partial<Record<Reading['tables'], ReturnType<typeof sharingBy>>> = {};
  return (relations, day) => {
    const { tables } = readings.now();
    by[tables] ??= sharingBy(db, tables);
    return by[tables](relations, day);
  };
}

function sharingBy(db: Db, tables: Reading['tables']) {
  const { ways, docs } = TABLES[tables];
  const changed = changesOf(db, tables);
  const found = db.prepare<
    [{ query: string; kind: string; name: string }],
    { ruleId: string; validFrom: string; saidAt: string }
  >(`
    SELECT v.rule_id AS ruleId, v.valid_from AS validFrom, v.said_at AS saidAt
    FROM (SELECT rowid AS seq FROM ${ways.word} WHERE ${ways.word} MATCH @query) m
      JOIN ${docs} d ON d.seq = m.seq AND d.status = 'confirmed'
      JOIN rule r ON r.seq = m.seq
      JOIN current_version v ON v.rule_id = r.id
    WHERE EXISTS (
      SELECT 1 FROM json_each(v.relations) e
      WHERE e.value ->> 'kind' = @kind AND lowered(e.value ->> 'name') = @name)`);
  const kept = new Map<string, readonly Sharing[]>();

  function of({ kind, name }: Wanted): readonly Sharing[] {
    const lower = name.toLowerCase();
    const key = `${kind}:${lower}`;
    const known = kept.get(key);
    if (known) return known;
    const query = `relations : (${exactlyAnyOf([[kind, ...wordsOf(name)]])!})`;
    const rules = found
      .all({ query, kind, name: lower })
      .map(({ ruleId, validFrom, saidAt }) => ({ ruleId, validFrom, at: Date.parse(saidAt) }));
    if (kept.size >= KEPT) kept.clear();
    kept.set(key, rules);
    return rules;
  }

  return (relations: readonly Wanted[], day: string): string[] => {
    if (changed()) kept.clear();
    const all = new Map(relations.flatMap(of).map(rule => [rule.ruleId, rule]));
    return [...all.values()]
      .filter(({ validFrom }) => validFrom <= day)
      .toSorted((a, b) => b.at - a.at || (a.ruleId < b.ruleId ? -1 : 1))
      .map(({ ruleId }) => ruleId);
  };
}
