/** Rows of the table of edits; words are short. */
const WIDEST = 80;
const rows = [new Uint8Array(WIDEST), new Uint8Array(WIDEST), new Uint8Array(WIDEST)] as const;

/** UTF-16 units of a word. */
export const unitsOf = (word: string): Uint16Array =>
  Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));

/**
 * Edits (letter more, less, other, or two swapped) between a word of fewer than 80 units and the `length` units of `letters` from
 * `start` on, up to `most`; `most + 1` for more. Optimal string alignment.
 */
export function editsTo(word: Uint16Array, letters: Uint16Array, start: number, length: number, most: number): number {
  const over = most + 1;
  if (Math.abs(word.length - length) > most || word.length >= WIDEST || length >= WIDEST) return over;
  let [before, last, row] = rows;
  for (let j = 0; j <= length; j++) last[j] = Math.min(j, over);
  for (let i = 1; i <= word.length; i++) {
    // What lies further from the diagonal costs more than the most.
    const from = Math.max(1, i - most);
    const to = Math.min(length, i + most);
    row[from - 1] = from === 1 ? Math.min(i, over) : over;
    let best: number = row[from - 1]!;
    const letter = word[i - 1]!;
    for (let j = from; j <= to; j++) {
      const other = letters[start + j - 1]!;
      let cost = last[j - 1]! + (letter === other ? 0 : 1);
      if (row[j - 1]! + 1 < cost) cost = row[j - 1]! + 1;
      if (j < i + most && last[j]! + 1 < cost) cost = last[j]! + 1;
      if (i > 1 && j > 1 && letter === letters[start + j - 2] && word[i - 2] === other && before[j - 2]! + 1 < cost) {
        cost = before[j - 2]! + 1;
      }
      if (cost > over) cost = over;
      row[j] = cost;
      if (cost < best) best = cost;
    }
    if (to < length) row[to + 1] = over;
    if (best > most) return over;
    [before, last, row] = [last, row, before];
  }
  return Math.min(last[length]!, over);
}

/** The same between two words. */
export const editDistance = (a: string, b: string, most: number): number =>
  editsTo(unitsOf(a), unitsOf(b), 0, b.length, most);
