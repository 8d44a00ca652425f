import { z } from 'zod';
import { Bundle } from '../bundles/schema.ts';
import { Day, Relation, ScopeName, text } from '../schema.ts';

/** What to look for, where (contract 6.5). */
export const SearchRequest = z
  .object({
    scopes: z.array(ScopeName).min(1).max(20),
    cross_scope: z.boolean().default(false),
    text: text(1, 20_000).optional(),
    terms: z.array(text(1, 100)).max(20).optional(),
    relation: z
      .object({ kind: Relation.shape.kind, name: text(1, 20_000) })
      .strict()
      .optional(),
    as_of: Day.nullable().default(null),
    include_proposals: z.boolean().default(false),
    limit: z.int().min(1).max(50).default(10),
  })
  .strict()
  .refine(request => request.text !== undefined || (request.terms?.length ?? 0) > 0, 'give a text or terms');

const StageState = z
  .object({
    state: z.enum(['ran', 'off', 'failed', 'budget', 'not-allowed']),
    duration_ms: z.int().nullable(),
    reason: z.string().nullable(),
  })
  .strict();
export type StageState = z.output<typeof StageState>;

export const SearchResponse = z
  .object({
    search_id: z.uuid(),
    scopes: z.array(ScopeName),
    stages: z.object({ a: StageState, b: StageState, c: StageState }).strict(),
    query: z.object({ terms: z.array(z.string()), variants: z.record(z.string(), z.array(z.string())) }).strict(),
    bundles: z.array(Bundle),
    abstained: z
      .object({
        reason: z.enum(['below-min-coverage', 'below-reranker-threshold', 'no-candidate']),
        best_coverage: z.number().min(0).max(1).nullable(),
        min_coverage: z.number().min(0).max(1),
      })
      .strict()
      .nullable(),
  })
  .strict();
export type SearchResponse = z.output<typeof SearchResponse>;
