import type { RankedSet } from './rank.ts';
import { compare } from './significance.ts';

export interface Report {
  readonly folder: string;
  readonly questions: number;
  readonly pages: number;
  readonly lanes: readonly {
    readonly lane: string;
    readonly ndcg10: number;
    readonly recall10: number;
    readonly recall100: number;
    readonly mrr: number;
    readonly p50_ms: number;
    readonly p95_ms: number;
    readonly per_second: number;
    /** Against the lexical lane: difference of nDCG@10, p of the paired randomisation test, 95 % interval; null for it. */
    readonly against_lexical: {
      readonly difference: number;
      readonly p: number;
      readonly interval: readonly [number, number];
    } | null;
  }[];
}

/** Figures of all lanes; the first one is what the others are compared with. */
export function reportOf(folder: string, pages: number, questions: number, sets: readonly RankedSet[]): Report {
  const lanes = sets.map(({ name, figures, each, p50, p95, perSecond }, at) => ({
    lane: name,
    ...figures,
    p50_ms: p50,
    p95_ms: p95,
    per_second: perSecond,
    against_lexical: at === 0 ? null : compare(sets[0]!.each, each),
  }));
  return { folder, questions, pages, lanes };
}

const COLUMNS = ['lane', 'nDCG@10', 'R@10', 'R@100', 'MRR', 'p50 ms', 'p95 ms', '/s', 'vs lexical', 'p'] as const;

/** The same as a table for people. */
export function tableOf({ folder, questions, pages, lanes }: Report): string {
  const rows = lanes.map(lane => [
    lane.lane,
    ...[lane.ndcg10, lane.recall10, lane.recall100, lane.mrr].map(value => value.toFixed(4)),
    ...[lane.p50_ms, lane.p95_ms].map(value => value.toFixed(1)),
    lane.per_second.toFixed(0),
    lane.against_lexical ? signed(lane.against_lexical.difference) : '',
    lane.against_lexical ? lane.against_lexical.p.toFixed(4) : '',
  ]);
  const widths = COLUMNS.map((title, at) => Math.max(title.length, ...rows.map(row => row[at]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ');
  return [`${folder}: ${questions} questions, ${pages} pages`, line(COLUMNS), ...rows.map(line)].join('\n');
}

const signed = (value: number): string => `${value >= 0 ? '+' : ''}${value.toFixed(4)}`;
