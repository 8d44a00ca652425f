/** Rank constant of reciprocal rank fusion (E281). */
const RRF_K = 60;

/** Fuses several rankings of the same kind by reciprocal rank; ties by key. Best first. */
export function fuseRanks(rankings: readonly (readonly string[])[]): { key: string; score: number }[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, key] of ranking.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (RRF_K + index + 1));
  }
  return [...scores]
    .map(([key, score]) => ({ key, score }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
}
