import type { FeedbackItem, FeedbackStore } from '../../../rules/feedback/ports.ts';
import type { LogRow } from '../../../rules/ports.ts';
import { logWriter } from './access-log.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';

/** What callers thought of their searches, one row an item. */
export function sqliteFeedback(files: ScopeFiles): FeedbackStore {
  const sql = files.prepared(prepare);
  return {
    async shown(scope, searchId, grantId) {
      const refs = sql(scope).shown.get(searchId, grantId);
      return refs === undefined ? undefined : (JSON.parse(refs) as string[]);
    },
    async record(scope, searchId, items, log) {
      sql(scope).record(searchId, items, log);
    },
  };
}

function prepare(db: Db) {
  const insert = db.prepare(`
    INSERT INTO feedback (search_id, ref, verdict, given_by, given_at) VALUES (@searchId, @ref, @verdict, @by, @at)`);
  const log = logWriter(db);
  const record = db.transaction((searchId: string, items: readonly FeedbackItem[], row: LogRow): void => {
    for (const item of items) insert.run({ ...item, searchId, by: row.grantId, at: row.at });
    log(row);
  });
  return {
    shown: db
      .prepare<[searchId: string, grantId: string], string>(`
        SELECT refs FROM search_log WHERE id = ? AND grant_id = ? AND operation = 'search' AND outcome = 200`)
      .pluck(),
    record: record.immediate,
  };
}
