import type { RuleVersion } from '../../../rules/model.ts';
import type { StoredRule } from '../../../rules/ports.ts';
import type { Relation } from '../../../rules/schema.ts';

/** Columns of a version `v` under the names of the model. */
export const VERSION_FIELDS = `v.rule_id AS ruleId, v.version, v.kind, v.statement, v.source_id AS sourceId, v.quote,
  v.timestamp_s AS timestampS, v.source_link AS sourceLink, v.said_at AS saidAt, v.speaker, v.relations, v.keywords,
  v.valid_from AS validFrom, v.valid_until AS validUntil, v.supersedes, v.superseded_by AS supersededBy, v.status, v.reason,
  v.changed_by AS changedBy, v.changed_at AS changedAt`;

/** A rule as it is now, of `rule r` and `current_version v`. */
export const RULE_FIELDS = `${VERSION_FIELDS}, r.created_at AS createdAt,
  coalesce((SELECT max(d.decided_at) FROM decision d WHERE d.rule_id = r.id AND d.kind IN ('confirm', 'review')),
    r.created_at) AS lastReviewedAt`;

export type VersionRow = Omit<RuleVersion, 'relations' | 'keywords'> & { relations: string; keywords: string };
export type RuleRow = VersionRow & Omit<StoredRule, 'current'>;

export const versionOf = (row: VersionRow): RuleVersion => ({
  ...row,
  relations: JSON.parse(row.relations) as Relation[],
  keywords: JSON.parse(row.keywords) as string[],
});

export function ruleOf({ createdAt, lastReviewedAt, ...row }: RuleRow): StoredRule {
  return { current: versionOf(row), createdAt, lastReviewedAt };
}

/** The number of a rule id, which is `rule.seq`. */
export const seqOf = (ruleId: string): number => Number(ruleId.slice(ruleId.lastIndexOf('-') + 1));

/** Relations as they are stored: keys in the order of the schema. */
export const storedRelations = (relations: readonly Relation[]): string =>
  JSON.stringify(relations.map(({ kind, name, ref }) => ({ kind, name, ref })));

/** The same for all of a version. */
export const storedVersion = (version: RuleVersion): VersionRow => ({
  ...version,
  relations: storedRelations(version.relations),
  keywords: JSON.stringify(version.keywords),
});
