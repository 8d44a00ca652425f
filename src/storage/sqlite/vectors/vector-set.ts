import type { PageTexts } from './block-texts.ts';
import { matrix, type Matrix } from './matrix.ts';
import type { Generation, StoredVectors } from './stored.ts';

export interface SetCounts {
  /** Blocks with all their vectors, parked texts among them: nothing more is to be done for those. */
  readonly done: number;
  readonly total: number;
}

/** The vectors of one generation in memory, page by page. */
export interface VectorSet {
  readonly generation: Generation;
  readonly nearest: Matrix['nearest'];
  readonly nearestElsewhere: Matrix['nearestElsewhere'];
  readonly estimate: Matrix['estimate'];
  readonly background: Matrix['background'];
  /** Makes the rows of a page those of its texts, as far as vectors of them are stored; undefined: the page is gone. */
  apply(page: number, texts: PageTexts | undefined): void;
  /** Pages with texts that have no vector yet. */
  pending(): Iterable<number>;
  /** Pages with parked texts. */
  parked(): Iterable<number>;
  isComplete(): boolean;
  counts(): SetCounts;
  /** From now on remembers which stored vectors are in use. */
  beginUse(): void;
  /** Ends that and says which were seen, and how many. */
  endUse(): { inUse(id: number): boolean; readonly count: number };
}

interface PageState {
  readonly rows: readonly number[];
  readonly total: number;
  readonly done: number;
}

export function vectorSet(generation: Generation, stored: StoredVectors): VectorSet {
  const vectors = matrix(generation.space.dim);
  const pages = new Map<number, PageState>();
  const pending = new Set<number>();
  const parked = new Set<number>();
  let used: Set<number> | null = null;
  let total = 0;
  let done = 0;

  function forget(page: number): void {
    const known = pages.get(page);
    if (!known) return;
    for (const row of known.rows) vectors.remove(row);
    total -= known.total;
    done -= known.done;
    pages.delete(page);
  }

  return {
    generation,
    nearest: vectors.nearest,
    nearestElsewhere: vectors.nearestElsewhere,
    estimate: vectors.estimate,
    background: vectors.background,
    apply(page, texts) {
      forget(page);
      pending.delete(page);
      parked.delete(page);
      if (!texts) return;
      const rows: number[] = [];
      const blocks = new Set<number>();
      const unfinished = new Set<number>();
      for (const { slot, hash, whole } of texts.texts) {
        blocks.add(slot);
        const vector = stored.find(generation.generation, hash);
        if (vector) {
          rows.push(vectors.add(page, slot, vector, !whole));
          used?.add(vector.id);
        } else if (stored.isParked(generation.generation, hash)) parked.add(page);
        else unfinished.add(slot);
      }
      if (unfinished.size > 0) pending.add(page);
      const state = { rows, total: blocks.size, done: blocks.size - unfinished.size };
      pages.set(page, state);
      total += state.total;
      done += state.done;
    },
    pending: () => pending,
    parked: () => parked,
    isComplete: () => pending.size === 0,
    counts: () => ({ done, total }),
    beginUse() {
      used = new Set();
    },
    endUse() {
      const seen = used ?? new Set();
      used = null;
      return { inUse: id => seen.has(id), count: seen.size };
    },
  };
}
