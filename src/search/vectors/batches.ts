/**
 * Groups texts of similar length, the shortest first, so that padding costs little: each group has at most `budget` tokens,
 * padding counted, or one text. Answers places in `lengths`.
 */
export function batchesByLength(lengths: readonly number[], budget: number): number[][] {
  const order = lengths.map((_, at) => at).sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const groups: number[][] = [];
  for (const at of order) {
    const last = groups.at(-1);
    // The text that comes last is the longest, so all are padded to it.
    if (last && (last.length + 1) * lengths[at]! <= budget) last.push(at);
    else groups.push([at]);
  }
  return groups;
}
