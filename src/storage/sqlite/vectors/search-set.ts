import { Failure } from '../../../kernel/failure.ts';
import type { LaneFilter, LaneHit } from '../../../search/ports.ts';
import type { Coarse } from './candidates.ts';
import type { HeaderColumns } from './header-columns.ts';
import type { BlockReads } from './hits.ts';
import type { ScoredBlock } from './matrix.ts';
import type { PagesInMemory } from './page-facts.ts';
import type { ScanThreads } from './scan-threads.ts';
import type { VectorSet } from './vector-set.ts';

export interface SearchParts {
  readonly pages: PagesInMemory;
  readonly columns: Pick<HeaderColumns, 'narrow'>;
  readonly reads: BlockReads;
  /** Pages that pass, found before and still right. */
  readonly kept: Map<string, Uint8Array>;
  readonly coarse: Coarse | undefined;
  readonly threads: Pick<ScanThreads, 'ready' | 'scan'>;
  /** Reads pages that changed while a thread was looking. */
  readonly settle: () => void;
  /** Scans that take longer, in milliseconds, are left to threads. */
  readonly threadsFrom: number;
}

export type SearchableSet = Pick<VectorSet, 'nearest' | 'nearestElsewhere' | 'estimate'>;

/** How many times the hits wanted are looked at first, where only SQL knows what passes. */
const MORE = 8;
const MOST_KEPT = 8;

/**
 * The nearest blocks that pass a filter. Memory decides where to look. When SQL then refuses so many that hits are missing, it is
 * asked for all pages that pass, and only those are compared: a small scope never comes back falsely empty. Rejects as `threads` do,
 * but for a thread that fails.
 */
export async function searchSet(
  set: SearchableSet,
  query: Float32Array,
  filter: LaneFilter,
  limit: number,
  parts: SearchParts,
  signal?: AbortSignal,
): Promise<LaneHit[]> {
  const { pages, columns, reads } = parts;
  if (limit <= 0) return [];
  const one = filter.pageId === null ? null : reads.pageNo(filter.pageId);
  if (one === undefined) return [];

  /** Asked again after a thread looked, for pages may have changed. */
  function first(): { mask: Uint8Array; wanted: number } {
    if (one !== null) return { mask: only([one!]), wanted: limit };
    const mask = pages.mask(filter);
    return { mask, wanted: columns.narrow(mask, filter, pages.classOf) ? limit : limit * MORE };
  }
  const { found, wanted } = await look(set, query, first, parts, signal);
  const hits = ordered(reads.passing(found, filter));
  // All blocks of a page pass, or none does.
  if (one !== null || hits.length >= limit || found.length < wanted) return hits.slice(0, limit);
  const second = () => ({ mask: passing(filter, parts), wanted: limit });
  return ordered(reads.passing((await look(set, query, second, parts, signal)).found, filter));
}

/** In a thread when it takes long, else here; here and now when what was found there is out of date. */
async function look(
  set: SearchableSet,
  query: Float32Array,
  where: () => { mask: Uint8Array; wanted: number },
  { coarse, threads, settle, threadsFrom }: SearchParts,
  signal: AbortSignal | undefined,
): Promise<{ found: ScoredBlock[]; wanted: number }> {
  const { mask, wanted } = where();
  const asked = { query, pages: mask, limit: wanted, coarse };
  if (set.estimate(asked) < threadsFrom || !threads.ready()) return { found: set.nearest(asked), wanted };
  const found = await set
    .nearestElsewhere(asked, (rows, some) => threads.scan(rows, some, signal), settle)
    .catch((error: unknown) => {
      if (signal?.aborted || error instanceof Failure) throw error;
      return null;
    });
  if (found) return { found, wanted };
  const now = where();
  return { found: set.nearest({ query, pages: now.mask, limit: now.wanted, coarse }), wanted: now.wanted };
}

function passing(filter: LaneFilter, { reads, kept }: SearchParts): Uint8Array {
  const key = JSON.stringify(filter);
  const mask = kept.get(key) ?? only(reads.pagesPassing(filter));
  kept.delete(key);
  kept.set(key, mask);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  return mask;
}

function only(pages: readonly number[]): Uint8Array {
  const mask = new Uint8Array(pages.reduce((most, page) => Math.max(most, page), 0) + 1);
  for (const page of pages) mask[page] = 1;
  return mask;
}

const ordered = (hits: readonly LaneHit[]): LaneHit[] =>
  hits.toSorted(
    (a, b) => b.score - a.score || (a.pageId < b.pageId ? -1 : a.pageId > b.pageId ? 1 : a.anchor < b.anchor ? -1 : 1),
  );
