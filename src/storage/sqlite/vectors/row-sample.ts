import { bestValues } from './best-values.ts';

const MOST = 256;

/** The same rows as long as they stay, spread over all: those whose numbers, mixed, are the lowest. */
export interface RowSample {
  added(row: number): void;
  removed(row: number): void;
  /** At most 256 of the rows below `end` that are `taken`. */
  rows(end: number, taken: (row: number) => boolean): readonly number[];
}

export function rowSample(): RowSample {
  let kept: number[] | null = null;
  let members = new Set<number>();
  let highest = 0;

  function choose(end: number, taken: (row: number) => boolean): number[] {
    const lowest = bestValues(MOST);
    for (let row = 0; row < end; row++) if (taken(row)) lowest.offer(-mixed(row));
    highest = -lowest.floor();
    const chosen: number[] = [];
    for (let row = 0; row < end; row++) if (mixed(row) <= highest && taken(row)) chosen.push(row);
    members = new Set(chosen);
    return chosen;
  }

  return {
    added(row) {
      if (mixed(row) <= highest) kept = null;
    },
    removed(row) {
      if (members.has(row)) kept = null;
    },
    rows: (end, taken) => (kept ??= choose(end, taken)),
  };
}

function mixed(row: number): number {
  let bits = Math.imul(row + 1, 0x9e37_79b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  return (bits ^ (bits >>> 13)) >>> 0;
}
