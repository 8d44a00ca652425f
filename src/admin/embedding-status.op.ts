import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import type { EmbeddingAdmin } from './ports.ts';

const count = z.int().nonnegative();
const Generation = z.object({
  model: z.string(),
  revision: z.string(),
  dim: z.int().positive(),
  semantic: z.boolean().describe('False: it knows spelling, not meaning.'),
  done: count.describe('Blocks that need nothing more.'),
  total: count,
  seconds_left: count.nullable().describe('Until every block has its vector; null when nobody knows.'),
  trouble: z.string().nullable().describe('Why it does not get on.'),
  parked: z
    .array(z.object({ block: z.string(), reason: z.string() }))
    .readonly()
    .describe('Texts that cannot be embedded, 20 at the most.'),
});

export const embeddingStatus = defineOp({
  name: 'embedding_status',
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'What answers by vectors, how far embedding is, how long it takes, and which texts are left out.',
  input: z.object({}),
  output: z.object({
    state: z.enum(['off', 'down', 'loading', 'filling', 'ready']),
    serving: Generation.nullable(),
    building: Generation.nullable().describe('What is to answer once every block has a vector of it.'),
  }),
  publishesOutput: false,
  async run({ embeddings }: { readonly embeddings: EmbeddingAdmin }) {
    return embeddings.status();
  },
});
