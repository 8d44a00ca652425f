import type { Reranker, RerankState, Spending } from './ports.ts';

export interface RerankStageParts {
  readonly reranker: Reranker;
  /** The best so many hits are ordered anew (N048). */
  readonly candidates: number;
  /** Milliseconds after which the order stays as it was. */
  readonly timeoutMs: number;
  /** US dollars a month; null: no cap. */
  readonly monthlyCapUsd: number | null;
  readonly spending: Spending;
  readonly now: () => Date;
}

export interface RerankStage {
  readonly name: string;
  readonly candidates: number;
  /** Scores of whole passages, null when the stage did not run; `state` says why. Rejects only when `signal` fires. */
  run(
    question: string,
    passages: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly scores: readonly number[] | null; readonly state: RerankState }>;
  close(): Promise<void>;
}

/** A reranker within its time, its number of candidates and its money. What it cannot do leaves a search as it was. */
export function rerankStage(parts: RerankStageParts): RerankStage {
  const { reranker, spending, now } = parts;

  async function scored(question: string, passages: readonly string[], signal: AbortSignal): Promise<number[]> {
    const scores = await reranker.score(question, passages, signal);
    if (scores.length !== passages.length || !scores.every(Number.isFinite)) throw new Error('not one score a passage');
    return [...scores];
  }

  return {
    name: reranker.name,
    candidates: parts.candidates,
    close: () => reranker.close(),
    async run(question, passages, signal) {
      const from = now().getTime();
      const stopped = (state: RerankState['state'], reason: string | null): RerankState => ({
        state,
        duration_ms: Math.max(0, now().getTime() - from),
        reason,
      });
      if (passages.length === 0) return { scores: [], state: stopped('ran', null) };
      const month = now().toISOString().slice(0, 7);
      const price = reranker.price(passages.length);
      if (parts.monthlyCapUsd !== null && spending.spent(month) + price > parts.monthlyCapUsd)
        return { scores: null, state: { state: 'budget', duration_ms: null, reason: 'monthly cap reached' } };
      const late = AbortSignal.timeout(parts.timeoutMs);
      const ended = signal ? AbortSignal.any([late, signal]) : late;
      try {
        if (price > 0) spending.add(month, price);
        const scores = await Promise.race([scored(question, passages, ended), rejected(ended)]);
        return { scores, state: stopped('ran', null) };
      } catch (error) {
        signal?.throwIfAborted();
        const reason = late.aborted ? 'time budget used up' : reasonOf(error);
        return { scores: null, state: stopped(late.aborted ? 'budget' : 'failed', reason) };
      }
    },
  };
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** A short line without what was sent or received. */
const reasonOf = (error: unknown): string => (error instanceof RerankFault ? error.message : 'internal error');

/** A fault whose message may be shown. */
export class RerankFault extends Error {}
