import { z } from 'zod';
import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import type { EmbeddingAdmin } from './ports.ts';

export const embeddingReload = defineOp({
  name: 'embedding_reload',
  aliases: ['reload_embedding'],
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary:
    'Load the embedding model anew: after a start without it, or when its files or the provider of the tenant have changed. Another model fills up beside the one that answers.',
  input: z.object({}),
  output: z.object({ model_revision: z.string().describe('Name of the model, or of the provider without one.') }),
  publishesOutput: false,
  async run({ embeddings }: { readonly embeddings: EmbeddingAdmin }) {
    try {
      return { model_revision: await embeddings.reload() };
    } catch (error) {
      throw new Failure(
        'internal',
        `the embedding model cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  },
});
