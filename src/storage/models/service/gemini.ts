import { z } from 'zod';
import { sha256 } from '../../../kernel/hash.ts';
import { ask, type ServiceOptions } from './ask.ts';
import type { Wire } from './service-embedder.ts';

export interface GeminiOptions extends Omit<ServiceOptions, 'headers'> {
  readonly key: string;
  readonly model: string;
  readonly dim: number;
}

const Answered = z.object({ embeddings: z.array(z.object({ values: z.array(z.number()) })) });
const TASKS = { query: 'RETRIEVAL_QUERY', passage: 'RETRIEVAL_DOCUMENT' } as const;

/** `models/<model>:batchEmbedContents` of Gemini (N041, N046). */
export function geminiWire({ key, model, dim, url, timeoutMs, fetch }: GeminiOptions): Wire {
  const name = model.startsWith('models/') ? model : `models/${model}`;
  const base = url.replace(/\/+$/, '');
  const options = { url: `${base}/${name}:batchEmbedContents`, timeoutMs, fetch, headers: { 'x-goog-api-key': key } };
  return {
    model,
    revision: sha256(base).slice(0, 16),
    dim,
    send: (texts, kind, signal) =>
      ask(
        options,
        {
          requests: texts.map(text => ({
            model: name,
            content: { parts: [{ text }] },
            taskType: TASKS[kind],
            outputDimensionality: dim,
          })),
        },
        signal,
      ),
    read(json) {
      const answered = Answered.safeParse(json);
      return answered.success ? answered.data.embeddings.map(({ values }) => values) : null;
    },
  };
}
