import type { Values } from './merge.ts';

/** How lanes are put together and ordered anew (N047-N050). */
export interface RetrievalSettings {
  readonly fusion: 'score' | 'rrf';
  /** Groups of words that mean the same. */
  readonly synonyms: readonly (readonly string[])[];
  /** null: no reranking. */
  readonly rerank: {
    readonly provider: 'bge' | 'cohere' | 'jina' | 'voyage';
    /** A name or path; null: the usual one of the provider. */
    readonly model: string | null;
    readonly candidates: number;
    /** null: the service's own. */
    readonly url: string | null;
    readonly apiKey: string | null;
    readonly timeoutMs: number;
    readonly monthlyCapUsd: number;
    readonly usdPerThousand: number;
  } | null;
}

export function retrievalOf(values: Values): RetrievalSettings {
  const provider = values.get('retrieval.rerank');
  return {
    fusion: values.get('retrieval.fusion'),
    synonyms: values.get('search.synonyms') ?? [],
    rerank:
      provider === 'off'
        ? null
        : {
            provider,
            model:
              values.isGiven('retrieval.rerank_model') || provider === 'bge'
                ? values.get('retrieval.rerank_model')
                : null,
            candidates: values.get('retrieval.rerank_candidates'),
            url: values.get('retrieval.rerank_url'),
            apiKey: values.get('retrieval.rerank_api_key'),
            timeoutMs: values.get('retrieval.rerank_timeout_ms'),
            monthlyCapUsd: values.get('retrieval.rerank_monthly_cap_usd'),
            usdPerThousand: values.get('retrieval.rerank_usd_per_thousand'),
          },
  };
}
