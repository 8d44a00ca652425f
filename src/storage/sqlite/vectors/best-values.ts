/** The highest values seen so far, so many at the most; the lowest of them is at hand. */
export interface BestValues {
  /** What a value must be above to be among the best. */
  floor(): number;
  offer(value: number): void;
}

/** A heap of values with the lowest on top. `most` is at least 1. */
export function bestValues(most: number): BestValues {
  const heap = new Float64Array(most);
  let size = 0;
  return {
    floor: () => (size < most ? Number.NEGATIVE_INFINITY : heap[0]!),
    offer(value) {
      if (size < most) {
        let at = size++;
        for (let up = (at - 1) >> 1; at > 0 && heap[up]! > value; up = (at - 1) >> 1) {
          heap[at] = heap[up]!;
          at = up;
        }
        heap[at] = value;
        return;
      }
      if (value <= heap[0]!) return;
      let at = 0;
      for (let down = 1; down < size; down = 2 * at + 1) {
        if (down + 1 < size && heap[down + 1]! < heap[down]!) down += 1;
        if (heap[down]! >= value) break;
        heap[at] = heap[down]!;
        at = down;
      }
      heap[at] = value;
    },
  };
}
