import type { LaneFilter, LaneHit } from '../../../search/ports.ts';
import type { HeaderColumns } from './header-columns.ts';
import type { BlockReads } from './hits.ts';
import type { Coarse } from './candidates.ts';
import type { PagesInMemory } from './page-facts.ts';
import type { VectorSet } from './vector-set.ts';

export interface SearchParts {
  readonly pages: PagesInMemory;
  readonly columns: Pick<HeaderColumns, 'narrow'>;
  readonly reads: BlockReads;
  /** Pages that pass, found before and still right. */
  readonly kept: Map<string, Uint8Array>;
  readonly coarse: Coarse | undefined;
}

/** How many times the hits wanted are looked at first, where only SQL knows what passes. */
const MORE = 8;
const MOST_KEPT = 8;

/**
 * The nearest blocks that pass a filter. Memory decides where to look. When SQL then refuses so many that hits are missing, it is
 * asked for all pages that pass, and only those are compared: a small scope never comes back falsely empty.
 */
export function searchSet(
  set: Pick<VectorSet, 'nearest'>,
  query: Float32Array,
  filter: LaneFilter,
  limit: number,
  parts: SearchParts,
): LaneHit[] {
  const { pages, columns, reads, coarse } = parts;
  if (limit <= 0) return [];
  const one = filter.pageId === null ? null : reads.pageNo(filter.pageId);
  if (one === undefined) return [];
  const mask = one === null ? pages.mask(filter) : only([one]);
  const decided = one !== null || columns.narrow(mask, filter, pages.classOf);
  const wanted = decided ? limit : limit * MORE;
  const found = set.nearest(query, mask, wanted, coarse);
  const hits = ordered(reads.passing(found, filter));
  // All blocks of a page pass, or none does.
  if (one !== null || hits.length >= limit || found.length < wanted) return hits.slice(0, limit);
  return ordered(reads.passing(set.nearest(query, passing(filter, parts), limit, coarse), filter));
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
