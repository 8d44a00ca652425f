import type { Values } from './merge.ts';
import type { Value } from './names.ts';

/** What turns text into vectors, and how they are compared (N041-N054). */
export interface EmbeddingSettings {
  readonly provider: Value<'embedding.provider'>;
  /** null: the usual one of the provider. */
  readonly model: string | null;
  /** null: as many numbers as the model makes. */
  readonly dim: number | null;
  /** A model that cannot be loaded stops the start. */
  readonly required: boolean;
  /** Without trailing slash; null: the usual one of the provider. */
  readonly url: string | null;
  readonly apiKey: string | null;
  readonly geminiApiKey: string | null;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly batch: number;
  readonly timeoutMs: number;
  /** null: no limit. */
  readonly textsPerDay: number | null;
  /** A first comparison by leading numbers alone; null: none. */
  readonly coarse: { readonly dim: number; readonly candidates: number } | null;
  /** The cosine below which a hit by vectors is dropped (N054); null: none is. */
  readonly minSimilarity: number | null;
  /** Without trailing slash. */
  readonly hubUrl: string;
}

export function embeddingOf(values: Values): EmbeddingSettings {
  const address = values.get('embedding.url');
  return {
    provider: values.get('embedding.provider'),
    model: values.get('embedding.model'),
    dim: values.isGiven('embedding.dim') ? values.get('embedding.dim') : null,
    required: values.get('embedding.required'),
    url: address === null ? null : withoutSlash(address),
    apiKey: values.get('embedding.api_key'),
    geminiApiKey: values.get('embedding.gemini_api_key'),
    queryPrefix: prefix(values.get('embedding.query_prefix')),
    passagePrefix: prefix(values.get('embedding.passage_prefix')),
    batch: values.get('embedding.batch'),
    timeoutMs: values.get('embedding.timeout_ms'),
    textsPerDay: values.get('embedding.texts_per_day'),
    coarse: values.get('retrieval.two_pass')
      ? { dim: values.get('retrieval.coarse_dim'), candidates: values.get('retrieval.coarse_candidates') }
      : null,
    minSimilarity: values.get('search.min_similarity'),
    hubUrl: withoutSlash(values.get('embedding.hub_url')),
  };
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
const prefix = (words: string | null): string => (words === null ? '' : `${words.trimEnd()} `);
