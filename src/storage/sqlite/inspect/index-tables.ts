import type { IndexTables, InspectedTable } from '../../../admin/ports.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { Db } from '../database.ts';
import { SLOTS } from '../index/tables.ts';

/** What the tables of index.sqlite look like under the names of the wire (E681-E683); a write makes a row anew (E148). */
export function indexTables(index: Db, ready: () => Promise<void>): IndexTables {
  const pages = index.prepare<[number], JsonObject>(
    `SELECT page_id, slug, skill, page_type, frontmatter, sha256 AS body_hash, at AS at_ts, last_written_by,
       updated_at AS created_at, updated_at, scenario
     FROM page ORDER BY page_id LIMIT ?`,
  );
  const blocks = index.prepare<[number], JsonObject & { context: string }>(
    `SELECT p.page_id || ':' || b.anchor AS block_id, p.page_id, b.anchor, b.ord AS ordinal, b.content AS body, p.skill, p.page_type, p.at AS at_ts,
       p.scenario, b.headings AS context
     FROM page p JOIN block b ON b.block_id >= p.page_no * ${SLOTS} AND b.block_id < (p.page_no + 1) * ${SLOTS}
     ORDER BY p.page_id, b.ord LIMIT ?`,
  );
  const links = index.prepare<[number], JsonObject>(
    `SELECT p.page_id AS src_page, l.src_anchor, l.src_field, l.target, l.dst_anchor, l.link_skill, l.link_version,
       p.scenario
     FROM page p JOIN link l ON l.page_no = p.page_no ORDER BY p.page_id, l.ord LIMIT ?`,
  );

  const read: Record<InspectedTable, (limit: number) => JsonObject[]> = {
    pages: limit => pages.all(limit),
    blocks: limit =>
      blocks.all(limit).map(row => ({ ...row, context: (JSON.parse(row.context) as string[]).join(' › ') })),
    links: limit => links.all(limit),
  };
  return {
    async rows(table, limit) {
      await ready();
      return read[table](limit);
    },
  };
}
