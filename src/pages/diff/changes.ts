/** The pieces `[fromStart, fromEnd)` of the one list were replaced by `[toStart, toEnd)` of the other. */
export interface Change {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly toStart: number;
  readonly toEnd: number;
}

/** Lines of a text with their line feed; a CR before it belongs to the line. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/**
 * The shortest list of changes that makes the one list the other, in order. Lists that differ in more than `mostEdits`
 * pieces are one large change: the search costs the square of it.
 */
export function changesBetween(from: readonly string[], to: readonly string[], mostEdits: number): Change[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let tail = 0;
  const most = Math.min(from.length, to.length) - start;
  while (tail < most && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const a = from.slice(start, from.length - tail);
  const b = to.slice(start, to.length - tail);
  if (a.length === 0 && b.length === 0) return [];
  const whole = { fromStart: 0, fromEnd: a.length, toStart: 0, toEnd: b.length };
  const changes = editsOf(a, b, mostEdits) ?? [whole];
  return changes.map(({ fromStart, fromEnd, toStart, toEnd }) => ({
    fromStart: fromStart + start,
    fromEnd: fromEnd + start,
    toStart: toStart + start,
    toEnd: toEnd + start,
  }));
}

/** Greedy search over edit counts: `reached[k]` is how far the diagonal k (from minus to) was followed. Null: too many edits. */
function editsOf(a: readonly string[], b: readonly string[], mostEdits: number): Change[] | null {
  const most = Math.min(a.length + b.length, mostEdits);
  let reached = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    rounds.push(reached.slice());
    reached = reached.slice();
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reached[middle + k - 1]! < reached[middle + k + 1]!);
      let x = down ? reached[middle + k + 1]! : reached[middle + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reached[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return traceBack(rounds, middle, a.length, b.length);
    }
  }
  return null;
}

function traceBack(rounds: readonly Int32Array[], middle: number, aLength: number, bLength: number): Change[] {
  const changes: Change[] = [];
  let [x, y] = [aLength, bLength];
  for (let edits = rounds.length - 1; edits > 0; edits--) {
    const reached = rounds[edits]!;
    const k = x - y;
    const down = k === -edits || (k !== edits && reached[middle + k - 1]! < reached[middle + k + 1]!);
    const beforeX = reached[middle + (down ? k + 1 : k - 1)]!;
    const beforeY = beforeX - (down ? k + 1 : k - 1);
    const step = {
      fromStart: beforeX,
      fromEnd: down ? beforeX : beforeX + 1,
      toStart: beforeY,
      toEnd: down ? beforeY + 1 : beforeY,
    };
    const next = changes[0];
    if (next && next.fromStart === step.fromEnd && next.toStart === step.toEnd) {
      changes[0] = { ...next, fromStart: step.fromStart, toStart: step.toStart };
    } else changes.unshift(step);
    [x, y] = [beforeX, beforeY];
  }
  return changes;
}
