/** The candidate that `word` was probably meant to be, or undefined when none is close. Case does not count. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase().slice(0, 64);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const reach = Math.min(Math.max(1, Math.floor(name.length / 3)), (best?.distance ?? Infinity) - 1);
    if (Math.abs(name.length - wanted.length) > reach) continue;
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance <= reach) best = { name, distance };
  }
  return best?.name;
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          last[column]! + 1,
          current[column - 1]! + 1,
          last[column - 1]! + (same ? 0 : 1),
          swapped ? beforeLast[column - 2]! + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length]!;
}
