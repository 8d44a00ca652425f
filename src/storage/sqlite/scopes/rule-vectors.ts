import type { VectorSpace } from '../../../search/vectors/ports.ts';
import type { RulePassage, RuleVectors } from '../../../rules/search/stages/ports.ts';
import type { Db } from './connect.ts';
import { changesOf } from './lexical/changes.ts';
import { TABLES } from './lexical/tables.ts';
import type { ScopeFiles } from './files.ts';

/** Vectors of rules in the scope's file, each with what made it (contract 15.4, table vec_rule). */
export function sqliteRuleVectors(files: ScopeFiles): RuleVectors {
  const sql = files.prepared(prepare);
  return {
    async missing(scope, space, limit) {
      return sql(scope).missing(space, limit);
    },
    async put(scope, space, rows) {
      sql(scope).put(space, rows);
    },
    async nearest(scope, space, question, statuses, limit) {
      return sql(scope).nearest(space, question, statuses, limit);
    },
  };
}

interface MissingRow {
  seq: number;
  version: number;
  statement: string;
  keywords: string;
  quote: string;
}

function prepare(db: Db) {
  const lacking = db.prepare<[{ model: string; revision: string; dim: number; limit: number }], MissingRow>(`
    SELECT r.seq, v.version, v.statement, v.keywords, v.quote
    FROM rule r JOIN current_version v ON v.rule_id = r.id
      LEFT JOIN vec_rule x ON x.seq = r.seq AND x.model = @model
    WHERE v.status <> 'rejected'
      AND (x.seq IS NULL OR x.version <> v.version OR x.revision <> @revision OR x.dim <> @dim)
    ORDER BY r.seq LIMIT @limit`);
  const insert = db.prepare(`
    INSERT INTO vec_rule (seq, version, model, dim, revision, vector)
    VALUES (@seq, @version, @model, @dim, @revision, @vector)
    ON CONFLICT (seq, model) DO UPDATE SET version = excluded.version, dim = excluded.dim, revision = excluded.revision,
      vector = excluded.vector`);
  const put = db.transaction(
    (space: VectorSpace, rows: readonly { readonly passage: RulePassage; readonly vector: Float32Array }[]) => {
      const { model, revision, dim } = space;
      for (const { passage, vector } of rows) {
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
        insert.run({ seq: passage.seq, version: passage.version, model, revision, dim, vector: bytes });
      }
    },
  );
  const stored = db.prepare<[object], { seq: number; vector: Buffer }>(`
    SELECT x.seq, x.vector FROM vec_rule x JOIN ${TABLES.texts.docs} d ON d.seq = x.seq
    WHERE x.model = @model AND x.revision = @revision AND x.dim = @dim
      AND d.status IN (SELECT value FROM json_each(@statuses))`);
  const idOf = db.prepare<[seq: number], string>('SELECT id FROM rule WHERE seq = ?').pluck();

  function nearest(space: VectorSpace, question: Float32Array, statuses: readonly string[], limit: number) {
    const { model, revision, dim } = space;
    const scored: { seq: number; score: number }[] = [];
    for (const { seq, vector } of stored.iterate({ model, revision, dim, statuses: JSON.stringify(statuses) }))
      scored.push({ seq, score: cosine(question, vector) });
    return scored
      .toSorted((a, b) => b.score - a.score || a.seq - b.seq)
      .slice(0, limit)
      .map(({ seq, score }) => ({ ruleId: idOf.get(seq)!, score }));
  }
  const changed = changesOf(db, 'texts');
  const whole = new Set<string>();
  function missing(space: VectorSpace, limit: number): RulePassage[] {
    const { model, revision, dim } = space;
    const key = JSON.stringify([model, revision, dim]);
    if (changed()) whole.clear();
    if (whole.has(key)) return [];
    const rows = lacking.all({ model, revision, dim, limit });
    if (rows.length === 0) whole.add(key);
    return rows.map(({ statement, keywords, quote, ...row }) => ({
      ...row,
      text: [statement, (JSON.parse(keywords) as string[]).join(', '), quote].join('\n'),
    }));
  }
  return { missing, put: put.immediate, nearest };
}

/** Both have length 1. */
function cosine(question: Float32Array, bytes: Buffer): number {
  const values =
    bytes.byteOffset % 4 === 0
      ? new Float32Array(bytes.buffer, bytes.byteOffset, question.length)
      : new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  let sum = 0;
  for (let at = 0; at < question.length; at++) sum += question[at]! * values[at]!;
  return sum;
}
