import type { AccessLog, LogRow } from '../../../rules/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';

/** Writes a row of the scope's log on its connection, inside whatever transaction is open there. */
export function logWriter(db: Db): (row: LogRow) => void {
  const insert = db.prepare(`
    INSERT INTO search_log (id, at, grant_id, channel, operation, outcome, cross_scope, refs, terms, variants, stages,
      input_sha256)
    VALUES (@id, @at, @grantId, @channel, @operation, @outcome, @crossScope, @refs, @terms, @variants, @stages,
      @inputSha256)`);
  return ({ search, ...row }) => {
    insert.run({
      ...row,
      crossScope: row.crossScope ? 1 : 0,
      refs: JSON.stringify(row.refs),
      terms: search ? JSON.stringify(search.terms) : null,
      variants: search ? JSON.stringify(search.variants) : null,
      stages: search ? JSON.stringify(search.stages) : null,
      inputSha256: search?.inputSha256 ?? null,
    });
  };
}

export function sqliteAccessLog(files: ScopeFiles): AccessLog {
  const writer = files.prepared(logWriter);
  return {
    async write(scope, row) {
      writer(scope)(row);
    },
  };
}
