import type { PAGE_FOLDERS } from '../../../pages/lanes/index.ts';
import type { FileFacts } from '../../../pages/lanes/ports.ts';
import type { Origin } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { GroupCommit } from '../state/group-commit.ts';
import type { StepHook } from '../steps.ts';

/** The file of a page as this server last wrote or accepted it. */
export interface Published {
  readonly version: number;
  readonly sha256: string;
  readonly facts: FileFacts;
}

export interface Head {
  readonly version: number;
  readonly seq: number;
  readonly sha256: string;
  readonly archived: boolean;
  readonly origin: Origin;
}

/** Archived because its file was deleted, or by a text that somebody put into it: no file is to be made. */
export const isWithoutFile = (head: Head | undefined): boolean => head?.archived === true && head.origin === 'external';

export interface Due {
  readonly upTo: number;
  readonly pageIds: readonly string[];
  /** As many as go into one batch: there may be more. */
  readonly more: boolean;
}

export interface PublishRecords {
  /** Reads that follow each other, without looking each time whether somebody wrote in between. */
  together<T>(read: () => T): T;
  published(pageId: string): Published | undefined;
  head(pageId: string): Head | undefined;
  content(pageId: string, version: number): string;
  /** Whether a version from `from` on has these bytes. */
  wrote(pageId: string, from: number, sha256: string): boolean;
  /** Pages to publish: those of the next outbox rows, not younger than `durableSeq`; undefined when there are none. */
  due(durableSeq: number): Due | undefined;
  /** Everything up to here is published. */
  cursor(): number;
  /** Pages whose newest version is not younger than `seq`, in id order, from behind `after` on. */
  heads(seq: number, after: string, limit: number): readonly string[];
  /** Pages whose files were below this folder, by its ids. */
  below(folder: string): readonly string[];
  /** How many pages that are not archived have a file, by folder of the lane. */
  live(): Readonly<Record<(typeof PAGE_FOLDERS)[number], number>>;
  /** Whether there is one in this folder; asked with every batch, so it counts nothing. */
  lives(folder: (typeof PAGE_FOLDERS)[number]): boolean;
  /** The page is to have no file. */
  forget(pageIds: readonly string[]): Promise<void>;
  record(pages: readonly { readonly pageId: string; readonly published: Published }[]): Promise<void>;
  /** Everything up to `seq` is published; rows that every subscriber is past are dropped, but for the newest. */
  advance(seq: number): Promise<void>;
}

const AT_ONCE = 256;

interface PublishedColumns {
  version: number;
  sha256: string;
  size: number;
  mtime_ms: number;
  mark: string;
}

/** What publishing reads and writes in state.sqlite. Its writes need no sync: doing the work again does no harm. */
export function publishRecords(db: Db, group: GroupCommit, step: StepHook): PublishRecords {
  const published = db.prepare<[string], PublishedColumns>(
    'SELECT version, sha256, size, mtime_ms, mark FROM published WHERE page_id = ?',
  );
  const head = db.prepare<[string], Omit<Head, 'archived'> & { archived: number }>(
    `SELECT h.version, h.seq, h.sha256, h.archived, v.origin
     FROM page_head h JOIN page_version v ON v.seq = h.seq WHERE h.page_id = ?`,
  );
  const content = db.prepare<[string, number], { content: string }>(
    'SELECT content FROM page_version WHERE page_id = ? AND version = ?',
  );
  const wrote = db.prepare<[string, number, string], { version: number }>(
    'SELECT version FROM page_version WHERE page_id = ? AND version >= ? AND sha256 = ? LIMIT 1',
  );
  const due = db.prepare<[number, number], { seq: number; page_id: string }>(
    `SELECT seq, page_id FROM outbox
     WHERE seq > (SELECT seq FROM outbox_cursor WHERE subscriber = 'publish') AND seq <= ? ORDER BY seq LIMIT ?`,
  );
  const cursor = db.prepare<[], { seq: number }>(`SELECT seq FROM outbox_cursor WHERE subscriber = 'publish'`);
  const heads = db.prepare<[string, number, number], { page_id: string }>(
    'SELECT page_id FROM page_head WHERE page_id > ? AND seq <= ? ORDER BY page_id LIMIT ?',
  );
  // '0' is the character behind '/'.
  const below = db.prepare<[string, string], { page_id: string }>(
    'SELECT page_id FROM published WHERE page_id > ? AND page_id < ?',
  );
  const live = db.prepare<[], { markdown: number; other: number }>(
    `SELECT count(*) FILTER (WHERE p.page_id GLOB 'markdown/*') AS markdown,
       count(*) FILTER (WHERE p.page_id NOT GLOB 'markdown/*') AS other
     FROM published p JOIN page_head h ON h.page_id = p.page_id WHERE h.archived = 0`,
  );
  const liveIn = (ids: string) =>
    db
      .prepare<[], number>(
        `SELECT EXISTS (SELECT 1 FROM published p JOIN page_head h ON h.page_id = p.page_id WHERE ${ids} AND h.archived = 0)`,
      )
      .pluck();
  // '0' is what comes after '/': ranges of the key, where a pattern would look at every row.
  const lives = {
    markdown: [liveIn(`p.page_id >= 'markdown/' AND p.page_id < 'markdown0'`)],
    other: [liveIn(`p.page_id < 'markdown/'`), liveIn(`p.page_id >= 'markdown0'`)],
  };
  const forget = db.prepare<[string]>('DELETE FROM published WHERE page_id = ?');
  const record = db.prepare<[string, number, string, number, number, string]>(
    `INSERT INTO published (page_id, version, sha256, size, mtime_ms, mark) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (page_id) DO UPDATE SET version = excluded.version, sha256 = excluded.sha256, size = excluded.size,
       mtime_ms = excluded.mtime_ms, mark = excluded.mark`,
  );
  const advance = db.prepare<[number]>(`UPDATE outbox_cursor SET seq = ? WHERE subscriber = 'publish'`);
  const trim = db.prepare('DELETE FROM outbox WHERE seq < (SELECT min(seq) FROM outbox_cursor)');

  const save = db.transaction((pages: Parameters<PublishRecords['record']>[0]) => {
    for (const { pageId, published: file } of pages) {
      const { size, mtimeMs, mark } = file.facts;
      record.run(pageId, file.version, file.sha256, size, mtimeMs, mark);
    }
    step('publish.record');
  });
  const drop = db.transaction((pageIds: readonly string[]) => {
    for (const pageId of pageIds) forget.run(pageId);
  });
  const move = db.transaction((seq: number) => {
    advance.run(seq);
    trim.run();
    step('outbox.cursor');
  });

  return {
    together: read => db.transaction(read)(),
    published(pageId) {
      const row = published.get(pageId);
      if (!row) return undefined;
      const { version, sha256, size, mtime_ms, mark } = row;
      return { version, sha256, facts: { size, mtimeMs: mtime_ms, mark } };
    },
    head(pageId) {
      const row = head.get(pageId);
      return row && { ...row, archived: row.archived === 1 };
    },
    content: (pageId, version) => content.get(pageId, version)!.content,
    wrote: (pageId, from, sha256) => wrote.get(pageId, from, sha256) !== undefined,
    due(durableSeq) {
      const rows = due.all(durableSeq, AT_ONCE);
      const last = rows.at(-1);
      if (!last) return undefined;
      return { upTo: last.seq, pageIds: [...new Set(rows.map(row => row.page_id))], more: rows.length === AT_ONCE };
    },
    cursor: () => cursor.get()!.seq,
    heads: (seq, after, limit) => heads.all(after, seq, limit).map(row => row.page_id),
    below: folder => below.all(`${folder}/`, `${folder}0`).map(row => row.page_id),
    live: () => live.get()!,
    lives: folder => lives[folder].some(one => one.get() === 1),
    forget: pageIds => group.between(() => drop(pageIds)),
    record: pages => group.between(() => save(pages)),
    advance: seq => group.between(() => move(seq)),
  };
}
