/** Scores how well passages answer a question. Adapters pass test/contracts/reranker.ts. */
export interface Reranker {
  /** Model or service, as shown. */
  readonly name: string;
  /** US dollars that one call with so many passages costs; 0 for a local model. */
  readonly price: (passages: number) => number;
  /**
   * One score a passage, in order, 0 to 1, larger is better. Any Unicode text is fine; too long a passage is cut. Rejects when it
   * cannot answer or `signal` fires.
   */
  score(question: string, passages: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** What was spent in a month (`2026-11`), in US dollars. */
export interface Spending {
  spent(month: string): number;
  add(month: string, usd: number): void;
}

/** What became of the stage; never an error of the search (rules contract 6.5, 7.8). */
export interface RerankState {
  readonly state: 'ran' | 'off' | 'failed' | 'budget' | 'not-allowed';
  readonly duration_ms: number | null;
  readonly reason: string | null;
}
