import type { NewProposal, ProposalWriter } from '../../../rules/proposals/ports.ts';
import type { LogRow } from '../../../rules/ports.ts';
import { logWriter } from './access-log.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';
import type { ScopeLexical } from './lexical/scope-lexical.ts';
import { searchRows } from './search-rows.ts';
import { storedRelations } from './version-rows.ts';

/** The writer of proposals: the only version it can insert is a first one, proposed. */
export function sqliteProposalWriter(files: ScopeFiles): ProposalWriter {
  const inserter = files.prepared(prepare);
  return {
    async insertProposed(scope, proposal, log) {
      const ref = inserter(scope)(scope, proposal, log);
      if (ref !== undefined) files.counted(scope);
      return ref;
    },
  };
}

function prepare(db: Db, lexical: () => ScopeLexical) {
  const confirmed = db
    .prepare<[id: string], number>(`SELECT 1 FROM current_version WHERE rule_id = ? AND status = 'confirmed'`)
    .pluck();
  const nextSeq = db.prepare<[], number>('SELECT coalesce(max(seq), 0) + 1 FROM rule').pluck();
  const ownWords = db.prepare(`
    INSERT INTO source (id, kind, fetched_at, feeder) SELECT @sourceId, 'manual', @at, @proposedBy
    WHERE NOT EXISTS (SELECT 1 FROM source WHERE id = @sourceId)`);
  const rule = db.prepare(
    'INSERT INTO rule (seq, id, created_at, created_by) VALUES (@seq, @ruleId, @at, @proposedBy)',
  );
  const version = db.prepare(`
    INSERT INTO rule_version (rule_id, version, kind, statement, source_id, quote, timestamp_s, source_link, said_at, speaker,
      relations, keywords, valid_from, supersedes, status, reason, changed_by, changed_at)
    VALUES (@ruleId, 1, @kind, @statement, @sourceId, @quote, @timestampS, @sourceLink, @saidAt, @speaker,
      @relations, @keywords, @validFrom, @supersedes, 'proposed', @reason, @proposedBy, @at)`);
  const match = db.prepare(
    'INSERT INTO quote_match (rule_id, part, start, stop) VALUES (@ruleId, @part, @start, @stop)',
  );
  const { replace } = searchRows(db, lexical());
  const log = logWriter(db);
  const insert = db.transaction(
    (scope: string, proposal: NewProposal, entry: (ref: string) => LogRow): string | undefined => {
      if (proposal.supersedes !== null && confirmed.get(proposal.supersedes) === undefined) return undefined;
      const seq = nextSeq.get()!;
      const ruleId = `${scope}-${String(seq).padStart(4, '0')}`;
      const relations = storedRelations(proposal.relations);
      const { matches, ...said } = proposal;
      const row = { ...said, seq, ruleId, relations, keywords: JSON.stringify(proposal.keywords) };
      if (proposal.sourceId.startsWith('manual:')) ownWords.run(row);
      rule.run(row);
      version.run(row);
      for (const one of matches) match.run({ ...one, ruleId });
      replace({ ...proposal, ruleId });
      const ref = `rule/${ruleId}@1`;
      log(entry(ref));
      return ref;
    },
  );
  return insert.immediate;
}
