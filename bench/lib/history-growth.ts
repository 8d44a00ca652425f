import Database from 'better-sqlite3';
import { join } from 'node:path';
import { pagesStore } from './pages-store.ts';

export interface Growth {
  readonly pageBytes: number;
  readonly changeBytes: number;
  /** Stored for one more version of the page, older texts as they are kept. */
  readonly bytesOfVersion: number;
  /** Milliseconds of reading an old version, the worst. */
  readonly slowestRead: number;
}

/** Edits one page so many times, changing the same few bytes of it, and looks at what its past takes. */
export async function historyGrowth(folder: string, pageKb: number, versions: number): Promise<Growth> {
  const pages = await pagesStore(folder);
  const pageId = 'markdown/instances/note/edited.md';
  const lines = Array.from(
    { length: pageKb * 16 },
    (_, n) => `Line ${n} of a page that is edited again and again, ok.`,
  );
  const change = (n: number): string => `Changed for the ${n}th time, which is a sentence of about eighty bytes or so.`;
  const text = (n: number): string => {
    const body = lines.map((line, at) => (at === (n * 37) % lines.length ? change(n) : line)).join('\n');
    return `---\ntype: instance\nskill: note\nid: edited\n---\n\n${body}\n`;
  };
  for (let n = 0; n < versions; n++) await pages.commit([{ pageId, content: text(n) }], n);
  const db = new Database(join(pages.dataDir, 'state.sqlite'), { readonly: true });
  const due = db.prepare('SELECT (SELECT max(seq) FROM page_version) - (SELECT seq FROM compaction)').pluck();
  while (due.get() !== 0) await new Promise(resolve => setTimeout(resolve, 50));
  const stored = db
    .prepare('SELECT sum(length(CAST(content AS BLOB))) FROM page_version WHERE version < ?')
    .pluck()
    .get(versions) as number;
  db.close();
  let slowestRead = 0;
  for (let n = 1; n < versions; n++) {
    const started = performance.now();
    const read = await pages.storage.pages.version(pageId, n);
    slowestRead = Math.max(slowestRead, performance.now() - started);
    if (read?.content !== text(n - 1)) throw new Error(`version ${n} was not read back`);
  }
  await pages.storage.close();
  return {
    pageBytes: Buffer.byteLength(text(0)),
    changeBytes: change(100).length * 2,
    bytesOfVersion: stored / (versions - 1),
    slowestRead,
  };
}
