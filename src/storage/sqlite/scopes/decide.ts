import type { DecisionPlan, DecisionWriter } from '../../../rules/decisions/ports.ts';
import type { RuleVersion } from '../../../rules/model.ts';
import type { LogRow } from '../../../rules/ports.ts';
import { logWriter } from './access-log.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import type { ScopeLexical } from './lexical/scope-lexical.ts';
import { searchedTexts, searchRows } from './search-rows.ts';
import { storedVersion } from './version-rows.ts';

/** The writer of decisions by persons. No first version passes it: those are proposed elsewhere. */
export function sqliteDecisionWriter(files: ScopeFiles): DecisionWriter {
  const writer = files.prepared(prepare);
  return {
    async decide(scope, plan, log) {
      const committed = writer(scope)(plan, log);
      if (committed) files.counted(scope);
      return committed;
    },
  };
}

function prepare(db: Db, lexical: () => ScopeLexical) {
  const newest = db.prepare<[id: string], number>('SELECT max(version) FROM rule_version WHERE rule_id = ?').pluck();
  const version = db.prepare(`
    INSERT INTO rule_version (rule_id, version, kind, statement, source_id, quote, timestamp_s, source_link, said_at, speaker,
      relations, keywords, valid_from, valid_until, supersedes, superseded_by, status, reason, changed_by, changed_at)
    VALUES (@ruleId, @version, @kind, @statement, @sourceId, @quote, @timestampS, @sourceLink, @saidAt, @speaker,
      @relations, @keywords, @validFrom, @validUntil, @supersedes, @supersededBy, @status, @reason, @changedBy, @changedAt)`);
  const decision = db.prepare(`
    INSERT INTO decision (rule_id, version, kind, decided_by, decided_by_identity, decided_at, reason, new_version, origin,
      mode)
    VALUES (@ruleId, @version, @kind, @decided_by, @decided_by_identity, @decided_at, @reason, @new_version, @origin, @mode)`);
  const rejected = db.prepare(`
    INSERT INTO rejected_fts (rowid, keywords, statement, relations, quote)
    SELECT seq, @keywords, @statement, @relations, @quote FROM rule WHERE id = @ruleId`);
  const { replace, remove } = searchRows(db, lexical());
  const log = logWriter(db);
  const follows = (one: RuleVersion): boolean => newest.get(one.ruleId) === one.version - 1;
  const decide = db.transaction((plan: DecisionPlan, entry: LogRow): boolean => {
    const versions = [plan.superseded, plan.version].filter(one => one !== null);
    if (newest.get(plan.ruleId) !== plan.decision.version || !versions.every(follows)) return false;
    for (const one of versions) version.run(storedVersion(one));
    decision.run({ ...plan.decision, ruleId: plan.ruleId });
    for (const one of versions) {
      if (one.status === 'rejected') {
        remove(one.ruleId);
        rejected.run(searchedTexts(one));
      } else replace(one);
    }
    log(entry);
    return true;
  });
  return decide.immediate;
}
