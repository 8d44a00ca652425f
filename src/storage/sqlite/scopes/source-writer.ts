import type { LogRow } from '../../../rules/ports.ts';
import type { NewSource, SourceWriter } from '../../../rules/sources/ports.ts';
import { logWriter } from './access-log.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';

/** Stores sources whole. */
export function sqliteSourceWriter(files: ScopeFiles): SourceWriter {
  const inserter = files.prepared(prepare);
  return {
    async insert(scope, source, log) {
      return inserter(scope)(source, log);
    },
  };
}

function prepare(db: Db) {
  const source = db.prepare(`
    INSERT INTO source (id, kind, title, occurred_at, sender, thread, link, excerpt, fulltext_sha256, fetched_at, feeder)
    SELECT @id, @kind, @title, @occurredAt, @sender, @thread, @link, @excerpt, @fulltextSha256, @fetchedAt, @feeder
    WHERE NOT EXISTS (SELECT 1 FROM source WHERE id = @id)`);
  const segment = db.prepare(
    'INSERT INTO source_segment (source_id, n, start_s, speaker, text) VALUES (@id, @n, @start_s, @speaker, @text)',
  );
  const attachment = db.prepare(`
    INSERT INTO source_attachment (source_id, n, filename, media_type, size, external, text, text_origin)
    VALUES (@id, @n, @filename, @media_type, @size, @external, @text, @text_origin)`);
  const auth = db.prepare(`
    INSERT INTO source_auth (source_id, from_address, authentication_results, spf, dkim, dmarc, at)
    VALUES (@id, @from, @results, @spf, @dkim, @dmarc, @at)`);
  const secret = db.prepare(`
    INSERT INTO secret_finding (source_id, attachment, segment, kind, start, length, at)
    VALUES (@id, @attachment, @segment, @kind, @start, @length, @at)`);
  const log = logWriter(db);
  const insert = db.transaction((row: NewSource, entry: LogRow): boolean => {
    const { id } = row.facts;
    const excerpt = row.content.kind === 'mail' ? row.content.text : null;
    if (source.run({ ...row.facts, excerpt }).changes === 0) return false;
    const segments = row.content.kind === 'jamie' ? row.content.segments : [];
    for (const [index, one] of segments.entries()) segment.run({ ...one, id, n: index + 1 });
    for (const [index, one] of row.attachments.entries()) attachment.run({ ...one, id, n: index + 1 });
    const at = row.facts.fetchedAt;
    if (row.auth) {
      const { authentication_results: results, ...rest } = row.auth;
      auth.run({ ...rest, results: JSON.stringify(results), id, at });
    }
    for (const one of row.secrets) secret.run({ ...one, id, at });
    log(entry);
    return true;
  });
  return insert.immediate;
}
