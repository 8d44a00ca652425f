import { z } from 'zod';
import type { Embedder } from '../../search/vectors/ports.ts';
import { hashEmbedder } from './hash.ts';
import { localEmbedder } from './local/local.ts';
import { geminiWire } from './service/gemini.ts';
import { openAiWire } from './service/openai.ts';
import { serviceEmbedder, type Spend } from './service/service-embedder.ts';

const dim = z.int().positive().nullable();
const Source = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('zero') }),
  z.strictObject({ provider: z.literal('hash') }),
  /** `folder`: absolute. */
  z.strictObject({ provider: z.literal('local'), folder: z.string(), dim }),
  z.strictObject({ provider: z.literal('gemini'), url: z.string(), model: z.string(), dim: z.int().positive() }),
  z.strictObject({
    provider: z.literal('openai'),
    url: z.string(),
    model: z.string(),
    dim,
    query_prefix: z.string(),
    passage_prefix: z.string(),
  }),
]);
/** Which embedder to open. It is stored beside its vectors, as JSON, so that they can be asked later; it holds no secret. */
export type EmbedderSource = z.input<typeof Source>;

/** What a service is asked with, and how much. */
export interface ServiceSettings {
  readonly apiKey: string | null;
  readonly geminiApiKey: string | null;
  readonly timeoutMs: number;
  readonly batch: number;
  readonly textsPerDay: number | null;
  readonly fetch: typeof globalThis.fetch;
}

export interface OpenEmbedderParts {
  readonly services: ServiceSettings;
  readonly spend: Spend;
  /** Cores that a local model may use. */
  readonly threads: number;
}

/**
 * Opens the embedder of a source, as JSON; null for `zero`, and for Gemini without a key (N041). Rejects with a ModelRefusal or an
 * EmbedderFault.
 */
export async function openEmbedder(
  source: string,
  { services, spend, threads }: OpenEmbedderParts,
): Promise<Embedder | null> {
  const wanted = Source.parse(JSON.parse(source));
  const { timeoutMs, fetch, apiKey, geminiApiKey, batch, textsPerDay } = services;
  const limits = { batch, perDay: textsPerDay, spend };
  switch (wanted.provider) {
    case 'zero':
      return null;
    case 'hash':
      return hashEmbedder();
    case 'local':
      return localEmbedder({ folder: wanted.folder, dim: wanted.dim, threads });
    case 'gemini':
      if (geminiApiKey === null) return null;
      return serviceEmbedder(geminiWire({ ...wanted, key: geminiApiKey, timeoutMs, fetch }), limits);
    case 'openai': {
      const prefixes = { query: wanted.query_prefix, passage: wanted.passage_prefix };
      return serviceEmbedder(openAiWire({ ...wanted, prefixes, key: apiKey, timeoutMs, fetch }), limits);
    }
  }
}
