/** The known name that a misspelt one most likely means; undefined when none is close (M07). */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const word = name.toLowerCase();
  const reach = Math.max(1, Math.floor(word.length / 3));
  if (word.length > 64) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = edits(word, candidate.toLowerCase());
    if (distance <= reach && (!best || distance < best.distance)) best = { name: candidate, distance };
  }
  return best?.name;
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
