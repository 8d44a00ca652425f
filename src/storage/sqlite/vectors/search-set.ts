import type { LaneFilter, LaneHit } from '../../../search/ports.ts';
import type { BlockReads } from './hits.ts';
import type { Coarse } from './matrix.ts';
import type { PagesInMemory } from './page-facts.ts';
import type { VectorSet } from './vector-set.ts';

export interface SearchParts {
  readonly pages: PagesInMemory;
  readonly reads: BlockReads;
  readonly coarse: Coarse | undefined;
}

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
  const { pages, reads, coarse } = parts;
  if (limit <= 0) return [];
  const one = filter.pageId === null ? null : reads.pageNo(filter.pageId);
  if (one === undefined) return [];
  const mask = one === null ? pages.mask(filter) : only([one]);
  const found = set.nearest(query, mask, limit, coarse);
  const hits = reads.passing(found, filter);
  if (hits.length === found.length || found.length < limit) return ordered(hits);
  return ordered(reads.passing(set.nearest(query, only(reads.pagesPassing(filter)), limit, coarse), filter));
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
