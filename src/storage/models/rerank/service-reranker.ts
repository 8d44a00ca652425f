import { z } from 'zod';
import { RerankFault } from '../../../search/rerank/index.ts';
import type { Reranker } from '../../../search/rerank/ports.ts';
import { EmbedderFault } from '../../../search/vectors/index.ts';
import { ask } from '../service/ask.ts';

/** How a service wants to be asked; all of them answer with an index and a score for each passage. */
export const RERANK_SHAPES = ['cohere', 'jina', 'voyage'] as const;
export type RerankShape = (typeof RERANK_SHAPES)[number];

export interface ServiceRerankerOptions {
  readonly shape: RerankShape;
  readonly model: string;
  /** Of the settings; null: the service's own address. */
  readonly url: string | null;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  /** US dollars for a thousand calls. */
  readonly usdPerThousand: number;
  readonly fetch: typeof globalThis.fetch;
}

const ADDRESSES: Readonly<Record<RerankShape, string>> = {
  cohere: 'https://api.cohere.com/v2/rerank',
  jina: 'https://api.jina.ai/v1/rerank',
  voyage: 'https://api.voyageai.com/v1/rerank',
};

const Row = z.object({ index: z.int().nonnegative(), relevance_score: z.number() });
const Answer = z.union([z.object({ results: z.array(Row) }), z.object({ data: z.array(Row) })]);

/** A reranking service. What goes wrong there is told by host and status, never with what was sent or answered. */
export function serviceReranker(options: ServiceRerankerOptions): Reranker {
  const { shape, model, apiKey, timeoutMs, fetch } = options;
  const url = options.url ?? ADDRESSES[shape];
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };

  async function answered(body: unknown, signal: AbortSignal): Promise<unknown> {
    try {
      const answer = await ask({ url, headers, timeoutMs, fetch }, body, signal);
      if ('json' in answer) return answer.json;
    } catch (error) {
      if (error instanceof EmbedderFault) throw new RerankFault(error.message, { cause: error });
      throw error;
    }
    throw new RerankFault(`${new URL(url).host} refuses the question`);
  }

  return {
    name: model,
    price: () => options.usdPerThousand / 1000,
    close: async () => undefined,
    async score(question, passages, signal) {
      const documents = passages.map(passage => passage.toWellFormed());
      const most = shape === 'voyage' ? { top_k: passages.length } : { top_n: passages.length };
      const json = await answered({ model, query: question.toWellFormed(), documents, ...most }, signal);
      const parsed = Answer.safeParse(json);
      if (!parsed.success) throw new RerankFault(`${new URL(url).host} answers in a form that is not known`);
      const rows = 'results' in parsed.data ? parsed.data.results : parsed.data.data;
      const scores = new Map(rows.map(({ index, relevance_score: score }) => [index, score]));
      return passages.map((_, at) => Math.min(1, Math.max(0, scores.get(at) ?? 0)));
    },
  };
}
