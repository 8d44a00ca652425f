import type { LedgerRow, PageLedger } from '../../../admin/ports.ts';
import type { Db } from '../database.ts';
import type { GroupCommit } from '../state/group-commit.ts';

const AT_ONCE = 500;

interface StoredRow {
  page_id: string;
  seq: number;
  sha256: string;
  archived: number;
  size: number | null;
  mtime_ms: number | null;
  mark: string | null;
}

export interface LedgerParts {
  readonly state: Db;
  readonly index: Db;
  readonly group: GroupCommit;
  readonly publishedSeq: () => number;
  /** Resolves when the index has rows for all pages. */
  readonly ready: () => Promise<void>;
}

/** Heads of state.sqlite beside rows of index.sqlite. Between two commits both are of the same moment. */
export function pageLedger({ state, index, group, publishedSeq, ready }: LedgerParts): PageLedger {
  const stored = state.prepare<[string], StoredRow>(
    `SELECT h.page_id, h.seq, h.sha256, h.archived, p.size, p.mtime_ms, p.mark
     FROM page_head h LEFT JOIN published p ON p.page_id = h.page_id
     WHERE h.page_id > ? ORDER BY h.page_id LIMIT ${AT_ONCE}`,
  );
  const indexed = index.prepare<[string], { page_id: string; sha256: string }>(
    `SELECT page_id, sha256 FROM page WHERE page_id > ? ORDER BY page_id LIMIT ${AT_ONCE}`,
  );
  const oneStored = state.prepare<[string], StoredRow>(
    `SELECT h.page_id, h.seq, h.sha256, h.archived, p.size, p.mtime_ms, p.mark
     FROM page_head h LEFT JOIN published p ON p.page_id = h.page_id WHERE h.page_id = ?`,
  );
  const oneIndexed = index.prepare<[string], { sha256: string }>('SELECT sha256 FROM page WHERE page_id = ?');

  /** A part that is full on either side ends with the smaller of the two last ids, so that no id is cut from its other half. */
  function part(after: string): { rows: LedgerRow[]; last: string | null } {
    const heads = stored.all(after);
    const pages = indexed.all(after);
    const ends = [heads, pages].flatMap(list => (list.length === AT_ONCE ? [list.at(-1)!.page_id] : []));
    const last = ends.toSorted(byBytes)[0] ?? null;
    const within = (id: string): boolean => last === null || byBytes(id, last) <= 0;
    const hashes = new Map(pages.filter(row => within(row.page_id)).map(row => [row.page_id, row.sha256]));
    const rows = heads
      .filter(row => within(row.page_id))
      .map(row => {
        const hash = hashes.get(row.page_id) ?? null;
        hashes.delete(row.page_id);
        return ledgerRow(row.page_id, row, hash);
      });
    for (const [pageId, hash] of hashes) rows.push(ledgerRow(pageId, undefined, hash));
    return { rows, last };
  }

  return {
    publishedSeq,
    async row(pageId) {
      await ready();
      return group.between(() => ledgerRow(pageId, oneStored.get(pageId), oneIndexed.get(pageId)?.sha256 ?? null));
    },
    async *walk() {
      await ready();
      for (let after: string | null = ''; after !== null;) {
        const from: string = after;
        const { rows, last } = await group.between(() => part(from));
        yield rows;
        after = last;
      }
    },
  };
}

/** The order in which SQLite compares texts. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const ledgerRow = (pageId: string, row: StoredRow | undefined, indexed: string | null): LedgerRow => ({
  pageId,
  stored: row ? { seq: row.seq, sha256: row.sha256, archived: row.archived === 1 } : null,
  file: row?.size == null ? null : { size: row.size, mtimeMs: row.mtime_ms!, mark: row.mark! },
  indexed,
});
