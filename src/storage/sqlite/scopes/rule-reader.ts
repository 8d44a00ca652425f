import type { QuoteMatch, StoredDecision } from '../../../rules/model.ts';
import type { RuleReader } from '../../../rules/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import type { ScopeLexical } from './lexical/scope-lexical.ts';
import { sharingIn } from './sharing.ts';
import {
  RULE_FIELDS,
  ruleOf,
  seqOf,
  VERSION_FIELDS,
  versionOf,
  type RuleRow,
  type VersionRow,
} from './version-rows.ts';

export function sqliteRuleReader(files: ScopeFiles): RuleReader {
  const sql = files.prepared(prepare);
  return {
    async find(scope, id) {
      const row = sql(scope).find.get(id);
      return row && ruleOf(row);
    },
    async versions(scope, id) {
      return sql(scope).versions.all(id).map(versionOf);
    },
    async decisions(scope, id) {
      return sql(scope).decisions.all(id);
    },
    async quoteMatches(scope, id) {
      return sql(scope).matches.all(id);
    },
    async countReviewedBefore(scope, instant) {
      return sql(scope).reviewedBefore.get({ instant })!;
    },
    async list(scope, { statuses, kind = null, relation, reviewedBefore = null, after, limit }) {
      const rows = sql(scope).list.all({
        statuses: JSON.stringify(statuses),
        kind,
        after: after === undefined ? 0 : seqOf(after),
        relationKind: relation?.kind ?? null,
        relationName: relation?.name.toLowerCase() ?? null,
        reviewedBefore,
        limit,
      });
      return rows.map(ruleOf);
    },
    async sharing(scope, relations, day) {
      return sql(scope).sharing(relations, day);
    },
  };
}

interface ListParameters {
  statuses: string;
  kind: string | null;
  after: number;
  relationKind: string | null;
  relationName: string | null;
  reviewedBefore: string | null;
  limit: number;
}

function prepare(db: Db, lexical: () => ScopeLexical) {
  const rule = `SELECT ${RULE_FIELDS} FROM rule r JOIN current_version v ON v.rule_id = r.id`;
  return {
    find: db.prepare<[id: string], RuleRow>(`${rule} WHERE r.id = ?`),
    versions: db.prepare<[id: string], VersionRow>(
      `SELECT ${VERSION_FIELDS} FROM rule_version v WHERE v.rule_id = ? ORDER BY v.version`,
    ),
    decisions: db.prepare<[id: string], StoredDecision>(`
      SELECT kind, version, decided_by, decided_by_identity, decided_at, reason, new_version, origin, mode
      FROM decision WHERE rule_id = ? ORDER BY id`),
    matches: db.prepare<[id: string], QuoteMatch>(
      'SELECT part, start, stop FROM quote_match WHERE rule_id = ? ORDER BY part',
    ),
    reviewedBefore: db
      .prepare<[{ instant: string }], number>(`
        SELECT count(*) FROM rule r JOIN current_version v ON v.rule_id = r.id
        WHERE v.status = 'confirmed' AND r.created_at < @instant AND NOT EXISTS (
          SELECT 1 FROM decision d
          WHERE d.rule_id = r.id AND d.kind IN ('confirm', 'review') AND d.decided_at >= @instant)`)
      .pluck(),
    list: db.prepare<[ListParameters], RuleRow>(`
      ${rule}
      WHERE r.seq > @after AND v.status IN (SELECT value FROM json_each(@statuses)) AND (@kind IS NULL OR v.kind = @kind)
        AND (@relationKind IS NULL OR EXISTS (
          SELECT 1 FROM json_each(v.relations) e
          WHERE e.value ->> 'kind' = @relationKind AND lowered(e.value ->> 'name') = @relationName))
        AND (@reviewedBefore IS NULL OR lastReviewedAt < @reviewedBefore)
      ORDER BY r.seq LIMIT @limit`),
    sharing: sharingIn(db, lexical()),
  };
}
