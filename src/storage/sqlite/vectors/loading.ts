import { setImmediate as turn } from 'node:timers/promises';
import type { BlockTexts } from './block-texts.ts';
import type { PagesInMemory } from './page-facts.ts';
import type { StoredVectors } from './stored.ts';
import type { VectorSet } from './vector-set.ts';

const PAGES_AT_ONCE = 20;
const ROWS_AT_ONCE = 500;
/** Fewer stored vectors out of use than this, or than a share of all, are left where they are. */
const FEW = 1000;
const SHARE = 0.25;

export interface LoadParts {
  readonly texts: BlockTexts;
  readonly stored: StoredVectors;
  readonly pages: PagesInMemory;
  readonly stopped: () => boolean;
}

/** Reads the stored vectors of every page into a set, a few pages a turn, and drops those that no page uses any more. */
export async function loadSet(set: VectorSet, parts: LoadParts): Promise<void> {
  const { texts, stored, pages: known, stopped } = parts;
  const lastId = stored.lastId();
  set.beginUse();
  let from = 0;
  for (;;) {
    const pages = texts.pagesAfter(from, PAGES_AT_ONCE);
    for (const page of pages) {
      const now = texts.of(page);
      if (now) known.set(page, now.facts);
      set.apply(page, now);
    }
    from = pages.at(-1) ?? from;
    if (pages.length < PAGES_AT_ONCE) break;
    await turn();
    if (stopped()) return;
  }
  await dropUnused(set, lastId, parts);
}

async function dropUnused(set: VectorSet, lastId: number, { stored, stopped }: LoadParts): Promise<void> {
  const { generation } = set.generation;
  const { inUse, count } = set.endUse();
  const unused = stored.count(generation) - count;
  if (unused < FEW || unused < count * SHARE) return;
  for (let from = 0; !stopped();) {
    const ids = stored.idsUpTo(generation, from, lastId, ROWS_AT_ONCE);
    stored.remove(ids.filter(id => !inUse(id)));
    if (ids.length < ROWS_AT_ONCE) return;
    from = ids.at(-1)!;
    await turn();
  }
}

/** Deletes what belongs to no generation, some rows a turn. */
export async function sweepLost(stored: StoredVectors, stopped: () => boolean): Promise<void> {
  while (!stopped() && stored.sweep(ROWS_AT_ONCE)) await turn();
}
