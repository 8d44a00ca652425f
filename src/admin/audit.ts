import { sha256 } from '../kernel/hash.ts';
import { normalizePageId, pageIdProblem } from '../pages/index.ts';
import { fileOfPage, PAGE_FOLDERS, pageOfFile, sameFacts } from '../pages/lanes/index.ts';
import type { FileFacts, FileLane } from '../pages/lanes/ports.ts';
import type { LedgerRow, PageLedger } from './ports.ts';

/** Page ids in the two directions of E679, sorted. */
export interface Drift {
  /** Markdown whose newest text the index does not hold. */
  readonly markdown_not_in_duckdb: readonly string[];
  /** Rows of the index without a page, or pages without their file. */
  readonly indexed_but_no_markdown: readonly string[];
}

export interface AuditDeps {
  readonly lane: FileLane;
  readonly ledger: PageLedger;
  /** False while publishing fails. */
  readonly publishing: () => boolean;
}

/**
 * Compares every file of the page lane with the page store, and the page store with the index. Pages that are written
 * meanwhile count as what they become; while publishing fails, files that are due count as missing.
 */
export async function auditPages({ lane, ledger, publishing }: AuditDeps): Promise<Drift> {
  // Pages that are committed from here on have their files to come.
  const due = publishing() ? ledger.publishedSeq() : Infinity;
  const files = await filesOf(lane);
  const unindexed = new Set<string>();
  const lost = new Set<string>();
  const suspects: string[] = [];
  for await (const rows of ledger.walk()) {
    for (const row of rows) {
      const file = files.get(row.pageId);
      files.delete(row.pageId);
      judgeRow(row, unindexed, lost);
      if (row.stored && row.stored.seq <= due && !sameFacts(row.file, file)) suspects.push(row.pageId);
    }
  }
  for (const pageId of [...suspects, ...files.keys()]) {
    const verdict = await judgeFile(lane, await ledger.row(pageId), due);
    if (verdict === 'missing') lost.add(pageId);
    if (verdict === 'foreign') unindexed.add(pageId);
  }
  return { markdown_not_in_duckdb: [...unindexed].sort(), indexed_but_no_markdown: [...lost].sort() };
}

/** Files that are pages or could become some, by page id. */
async function filesOf(lane: FileLane): Promise<Map<string, FileFacts>> {
  const files = new Map<string, FileFacts>();
  for (const folder of PAGE_FOLDERS) {
    for await (const { path, ...facts } of lane.list(folder)) {
      const pageId = normalizePageId(pageOfFile(path) ?? '');
      if (pageIdProblem(pageId) === null) files.set(pageId, facts);
    }
  }
  return files;
}

function judgeRow({ pageId, stored, indexed }: LedgerRow, unindexed: Set<string>, lost: Set<string>): void {
  const live = stored !== null && !stored.archived;
  if (live && stored.sha256 !== indexed) unindexed.add(pageId);
  if (!live && indexed !== null) lost.add(pageId);
}

/** A second look at a file that is not as it was left; what was published or removed since the first is fine. */
async function judgeFile(lane: FileLane, row: LedgerRow, due: number): Promise<'fine' | 'missing' | 'foreign'> {
  const { pageId, stored } = row;
  const bytes = await lane.read(fileOfPage(pageId));
  if (!stored) return bytes && pageId.endsWith('.md') ? 'foreign' : 'fine';
  if (stored.seq > due) return 'fine';
  if (!bytes) return stored.archived ? 'fine' : 'missing';
  return sha256(bytes) === stored.sha256 ? 'fine' : 'foreign';
}
