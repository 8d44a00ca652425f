import type { Project } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';

/** Which pages ever had which slug, so that links of the past are found. Runs inside the caller's transaction. */
export interface PastSlugs {
  /** A version is stored. A page that was written once has the slug that the index tells. */
  note(pageId: string, version: number, slug: string | null): void;
  /** The versions of a page go to another id. */
  carry(from: string, to: string): void;
  drop(pageId: string): void;
}

export function pastSlugs(db: Db, project: Project): PastSlugs {
  const insert = db.prepare<[string, string]>('INSERT OR IGNORE INTO past_slug (page_id, slug) VALUES (?, ?)');
  const first = db
    .prepare<[string], string>(
      'SELECT content FROM page_version WHERE page_id = ? AND version = 1 AND delta_of IS NULL',
    )
    .pluck();
  const rename = db.prepare<[string, string]>('UPDATE OR REPLACE past_slug SET page_id = ? WHERE page_id = ?');
  const drop = db.prepare<[string]>('DELETE FROM past_slug WHERE page_id = ?');

  return {
    note(pageId, version, slug) {
      if (version === 1) return;
      const text = version === 2 ? first.get(pageId) : undefined;
      const firstSlug = text === undefined ? null : project(pageId, text).facts.slug;
      for (const each of new Set([firstSlug, slug])) if (each !== null) insert.run(pageId, each);
    },
    carry: (from, to) => void rename.run(to, from),
    drop: pageId => void drop.run(pageId),
  };
}
