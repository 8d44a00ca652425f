import { spaceKey } from '../../../search/vectors/index.ts';
import type { VectorSpace } from '../../../search/vectors/ports.ts';
import type { VisibleStatus } from '../../../rules/schema.ts';
import type { RulePassage, RuleVectors } from '../../../rules/search/stages/ports.ts';
import type { Db } from './connect.ts';
import { changesOf } from './lexical/changes.ts';
import { vectorsInMemory, type VectorsInMemory } from './vectors-in-memory.ts';
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

interface VectorRow {
  readonly passage: RulePassage;
  readonly vector: Float32Array;
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
  const put = db.transaction((space: VectorSpace, rows: readonly VectorRow[]) => {
    const { model, revision, dim } = space;
    for (const { passage, vector } of rows) {
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      insert.run({ seq: passage.seq, version: passage.version, model, revision, dim, vector: bytes });
    }
  });
  const ruleOf = db.prepare<[seq: number], { ruleId: string; status: VisibleStatus }>(`
    SELECT r.id AS ruleId, v.status FROM rule r JOIN current_version v ON v.rule_id = r.id WHERE r.seq = ?`);
  // A scope has the vectors of one model and one revision of it.
  let memory: { readonly key: string; readonly vectors: VectorsInMemory } | undefined;

  function nearest(space: VectorSpace, question: Float32Array, statuses: readonly string[], limit: number) {
    const key = spaceKey(space);
    if (memory?.key !== key) memory = { key, vectors: vectorsInMemory(db, space) };
    return memory.vectors.nearest(question, statuses, limit).map(({ seq, score }) => ({ ...ruleOf.get(seq)!, score }));
  }
  function keep(space: VectorSpace, rows: readonly VectorRow[]): void {
    put.immediate(space, rows);
    if (memory?.key !== spaceKey(space)) memory = undefined;
    for (const { passage, vector } of rows) memory?.vectors.put(passage.seq, vector);
  }
  const changed = changesOf(db, 'texts');
  const whole = new Set<string>();
  function missing(space: VectorSpace, limit: number): RulePassage[] {
    const { model, revision, dim } = space;
    const key = spaceKey(space);
    if (changed()) whole.clear();
    if (whole.has(key)) return [];
    const rows = lacking.all({ model, revision, dim, limit });
    if (rows.length === 0) whole.add(key);
    return rows.map(({ statement, keywords, quote, ...row }) => ({
      ...row,
      text: [statement, (JSON.parse(keywords) as string[]).join(', '), quote].join('\n'),
    }));
  }
  return { missing, put: keep, nearest };
}
