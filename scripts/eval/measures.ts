/** Page ids, best first. */
export type Ranking = readonly string[];

export interface Figures {
  readonly ndcg10: number;
  readonly recall10: number;
  readonly recall100: number;
  readonly mrr: number;
}

/** Gain of a ranking up to a depth, over that of the best possible one (graded, linear gain). */
export function ndcg(ranking: Ranking, relevant: ReadonlyMap<string, number>, depth: number): number {
  const discounted = (grades: readonly number[]): number =>
    grades.slice(0, depth).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);
  const best = discounted([...relevant.values()].toSorted((a, b) => b - a));
  return best === 0 ? 0 : discounted(ranking.map(id => relevant.get(id) ?? 0)) / best;
}

export function recall(ranking: Ranking, relevant: ReadonlyMap<string, number>, depth: number): number {
  return ranking.slice(0, depth).filter(id => relevant.has(id)).length / relevant.size;
}

/** One over the place of the first relevant page, 0 when there is none. */
export function reciprocalRank(ranking: Ranking, relevant: ReadonlyMap<string, number>): number {
  const at = ranking.findIndex(id => relevant.has(id));
  return at < 0 ? 0 : 1 / (at + 1);
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Means over questions that have an answer. */
export function figuresOf(
  answers: readonly { readonly ranking: Ranking; readonly relevant: ReadonlyMap<string, number> }[],
): Figures {
  const over = (measure: (ranking: Ranking, relevant: ReadonlyMap<string, number>) => number): number =>
    mean(answers.filter(({ relevant }) => relevant.size > 0).map(one => measure(one.ranking, one.relevant)));
  return {
    ndcg10: over((ranking, relevant) => ndcg(ranking, relevant, 10)),
    recall10: over((ranking, relevant) => recall(ranking, relevant, 10)),
    recall100: over((ranking, relevant) => recall(ranking, relevant, 100)),
    mrr: over(reciprocalRank),
  };
}
