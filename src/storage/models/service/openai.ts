import { z } from 'zod';
import { sha256 } from '../../../kernel/hash.ts';
import { ask, type ServiceOptions } from './ask.ts';
import type { Wire } from './service-embedder.ts';

export interface OpenAiOptions extends Omit<ServiceOptions, 'headers'> {
  readonly key: string | null;
  readonly model: string;
  readonly dim: number | null;
  readonly prefixes: { readonly query: string; readonly passage: string };
}

const Answered = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});

/** `POST <url>/embeddings` as OpenAI has it, and with it Voyage, Jina, Mistral, Ollama, TEI, vLLM and others. */
export function openAiWire({ key, model, dim, prefixes, url, timeoutMs, fetch }: OpenAiOptions): Wire {
  const base = url.replace(/\/+$/, '');
  const options = {
    url: `${base}/embeddings`,
    timeoutMs,
    fetch,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
  };
  return {
    model,
    // The service does not tell its release, so what tells services and ways of asking apart has to do.
    revision: sha256(JSON.stringify([base, prefixes])).slice(0, 16),
    dim,
    send: (texts, kind, signal) =>
      ask(
        options,
        {
          model,
          input: texts.map(text => prefixes[kind] + text),
          encoding_format: 'float',
          ...(dim === null ? {} : { dimensions: dim }),
        },
        signal,
      ),
    read(json) {
      const answered = Answered.safeParse(json);
      return answered.success
        ? answered.data.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)
        : null;
    },
  };
}
