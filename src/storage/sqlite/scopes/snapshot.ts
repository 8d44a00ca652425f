import type {
  ExportedEntity,
  ExportedRule,
  ExportedSource,
  ScopeExports,
  ScopeSnapshot,
} from '../../../rules/export/ports.ts';
import { buildExport } from '../../../rules/export/index.ts';
import type { StoredDecision } from '../../../rules/model.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import type { ScopeReaders } from './readers/scope-readers.ts';
import { VERSION_FIELDS, versionOf, type VersionRow } from './version-rows.ts';

/** Exports a scope as it is at one moment: in a thread where it is large. */
export function sqliteScopeExports(files: ScopeFiles, readers: ScopeReaders): ScopeExports {
  const read = files.prepared(db => snapshotReader(db));
  return {
    files: (scope, view, signal) =>
      readers.ask('export', scope, view, async () => buildExport(read(scope)(scope), view), signal),
  };
}

type Owned = { readonly owner: string };
type EntityRow = Omit<ExportedEntity, 'aliases' | 'confirmed'> & { aliases: string; confirmed: number };

/** Reads everything of a scope file in one transaction. */
export function snapshotReader(db: Db): (scope: string) => ScopeSnapshot {
  const rules = db.prepare<[], Pick<ExportedRule, 'id' | 'createdAt' | 'createdBy'>>(
    'SELECT id, created_at AS createdAt, created_by AS createdBy FROM rule ORDER BY seq',
  );
  const versions = db.prepare<[], VersionRow>(
    `SELECT ${VERSION_FIELDS} FROM rule_version v ORDER BY v.rule_id, v.version`,
  );
  const decisions = db.prepare<[], StoredDecision & Owned>(`
    SELECT rule_id AS owner, kind, version, decided_by, decided_by_identity, decided_at, reason, new_version, origin, mode
    FROM decision ORDER BY id`);
  const sources = db.prepare<[], Omit<ExportedSource, 'attachments'>>(`
    SELECT s.id, s.kind, s.title, s.occurred_at AS occurredAt, s.sender, s.thread, s.link,
      s.fulltext_sha256 AS fulltextSha256, s.fetched_at AS fetchedAt, s.feeder, length(s.excerpt) AS textChars,
      (SELECT nullif(count(*), 0) FROM source_segment g WHERE g.source_id = s.id) AS segmentCount
    FROM source s ORDER BY s.id`);
  const attachments = db.prepare<[], ExportedSource['attachments'][number] & Owned>(`
    SELECT source_id AS owner, filename, media_type, size, external, text_origin
    FROM source_attachment ORDER BY source_id, n`);
  const entities = db.prepare<[], EntityRow>(`
    SELECT e.id, v.version, v.name, v.type, v.parent, v.aliases, v.status, v.confirmed
    FROM entity e JOIN entity_version v ON v.entity_id = e.id
    WHERE v.version = (SELECT max(w.version) FROM entity_version w WHERE w.entity_id = e.id) ORDER BY e.seq`);

  return db.transaction((scope: string): ScopeSnapshot => {
    const versionsOf = grouped(versions.all().map(versionOf), one => one.ruleId);
    const decisionsOf = grouped(decisions.all(), one => one.owner);
    const attachmentsOf = grouped(attachments.all(), one => one.owner);
    return {
      scope,
      rules: rules.all().map(rule => ({
        ...rule,
        versions: versionsOf.get(rule.id)!,
        decisions: decisionsOf.get(rule.id) ?? [],
      })),
      sources: sources.all().map(source => ({ ...source, attachments: attachmentsOf.get(source.id) ?? [] })),
      entities: entities.all().map(row => ({
        ...row,
        aliases: JSON.parse(row.aliases) as string[],
        confirmed: row.confirmed === 1,
      })),
    };
  });
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
