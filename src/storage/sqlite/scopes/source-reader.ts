import type { Attachment, Segment, SourceAuth, SourceFacts, SourceText } from '../../../rules/model.ts';
import type { SourceReader } from '../../../rules/ports.ts';
import type { Db } from './connect.ts';
import type { ScopeFiles } from './files.ts';

/** Characters of a text that are read to show how it begins. */
const OPENING = 400;
const FACTS = `id, kind, title, occurred_at AS occurredAt, sender, thread, link, fulltext_sha256 AS fulltextSha256,
  fetched_at AS fetchedAt, feeder`;

export function sqliteSourceReader(files: ScopeFiles): SourceReader {
  const sql = files.prepared(prepare);
  return {
    async facts(scope, id) {
      return sql(scope).facts.get(id);
    },
    async text(scope, id): Promise<SourceText | undefined> {
      const { mail, segments } = sql(scope);
      const text = mail.get(id);
      if (text !== undefined) return { kind: 'mail', text };
      const found = segments.all(id);
      return found.length > 0 ? { kind: 'jamie', segments: found } : undefined;
    },
    async segments(scope, id, from, until) {
      return sql(scope).window.all(id, from, until);
    },
    async auth(scope, id) {
      const row = sql(scope).auth.get(id);
      return row && { ...row, authentication_results: JSON.parse(row.authentication_results) as string[] };
    },
    async secretKinds(scope, id) {
      return sql(scope).secretKinds.all(id);
    },
    async attachments(scope, id) {
      return sql(scope).attachments.all(id);
    },
    async thread(scope, thread) {
      return sql(scope).thread.all(thread, thread);
    },
    async opening(scope, id) {
      return sql(scope).opening.get(id, id) ?? null;
    },
  };
}

const prepare = (db: Db) => ({
  facts: db.prepare<[id: string], SourceFacts>(`SELECT ${FACTS} FROM source WHERE id = ?`),
  mail: db.prepare<[id: string], string>(`SELECT excerpt FROM source WHERE id = ? AND kind = 'mail'`).pluck(),
  segments: db.prepare<[id: string], Segment>(
    'SELECT start_s, speaker, text FROM source_segment WHERE source_id = ? ORDER BY n',
  ),
  window: db.prepare<[id: string, from: number, until: number], Segment & { n: number }>(
    'SELECT n, start_s, speaker, text FROM source_segment WHERE source_id = ? AND start_s BETWEEN ? AND ? ORDER BY n',
  ),
  auth: db.prepare<[id: string], Omit<SourceAuth, 'authentication_results'> & { authentication_results: string }>(`
    SELECT from_address AS "from", authentication_results, spf, dkim, dmarc FROM source_auth WHERE source_id = ?`),
  secretKinds: db
    .prepare<[id: string], string>('SELECT DISTINCT kind FROM secret_finding WHERE source_id = ? ORDER BY kind')
    .pluck(),
  attachments: db.prepare<[id: string], Attachment>(`
    SELECT filename, media_type, size, external, text, text_origin FROM source_attachment WHERE source_id = ? ORDER BY n`),
  thread: db.prepare<[thread: string, thread: string], SourceFacts & { start: string }>(`
    SELECT ${FACTS}, substr(excerpt, 1, ${OPENING}) AS start FROM source
    WHERE kind = 'mail' AND (thread = ? OR id = ?) ORDER BY occurred_at DESC, id`),
  opening: db
    .prepare<[id: string, id: string], string>(`
      SELECT substr(coalesce(s.excerpt, (
        SELECT group_concat(g.text, ' ') FROM (
          SELECT text FROM source_segment WHERE source_id = ? ORDER BY n LIMIT 20) g)), 1, ${OPENING})
      FROM source s WHERE s.id = ?`)
    .pluck(),
});
