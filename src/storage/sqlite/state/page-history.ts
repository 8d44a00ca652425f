import type { Origin, PageStore, StoredPage, VersionInfo } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { DurableView } from './durable-view.ts';
import { versionTexts, type TextRow } from './version-text.ts';

interface InfoRow {
  page_id: string;
  version: number;
  sha256: string;
  author: string | null;
  origin: Origin;
  message: string | null;
  committed_at: string;
  archived: number;
}

interface Row extends InfoRow {
  content: string;
  delta_of: number | null;
}

const INFO = 'v.page_id, v.version, v.sha256, v.author, v.origin, v.message, v.committed_at, v.archived';

/**
 * Stored versions as they are read back, durable ones only. What a write is planned on is read beside the writer where that shows
 * the same: the view forgets all it has read with each commit.
 */
export function pageHistory({ db: view, held }: DurableView, db: Db): Omit<PageStore, 'commit'> {
  const headIn = (read: Db) =>
    read.prepare<[string], Row>(
      `SELECT ${INFO}, v.content, v.delta_of FROM page_head h JOIN page_version v ON v.page_id = h.page_id AND v.version = h.version
       WHERE h.page_id = ?`,
    );
  const [viewed, written] = [headIn(view), headIn(db)];
  const version = view.prepare<[string, number], Row>(
    `SELECT ${INFO}, v.content, v.delta_of FROM page_version v WHERE v.page_id = ? AND v.version = ?`,
  );
  const committed = view.prepare<[number, string, number], TextRow>(
    'SELECT content, delta_of, sha256 FROM page_version WHERE seq = ? AND page_id = ? AND version = ?',
  );
  const history = view.prepare<[string], InfoRow>(
    `SELECT ${INFO} FROM page_version v WHERE v.page_id = ? ORDER BY v.version`,
  );
  const versionAt = view.prepare<[string, string], Row>(
    `SELECT ${INFO}, v.content, v.delta_of FROM page_version v WHERE v.page_id = ? AND v.committed_at <= ?
     ORDER BY v.version DESC LIMIT 1`,
  );
  const texts = versionTexts(view);
  const whole = (row: Row | undefined): StoredPage | undefined => row && { ...info(row), content: texts.of(row) };
  return {
    head: async pageId => whole((held() ? viewed : written).get(pageId)),
    version: async (pageId, number) => whole(version.get(pageId, number)),
    async text({ pageId, version: number, seq }) {
      const row = seq === null ? undefined : committed.get(seq, pageId, number);
      return row ? texts.of(row) : whole(version.get(pageId, number))?.content;
    },
    history: async pageId => history.all(pageId).map(info),
    versionAt: async (pageId, at) => whole(versionAt.get(pageId, at)),
  };
}

const info = (row: InfoRow): VersionInfo => ({
  pageId: row.page_id,
  version: row.version,
  sha256: row.sha256,
  author: row.author,
  origin: row.origin,
  message: row.message,
  committedAt: row.committed_at,
  archived: row.archived === 1,
});
