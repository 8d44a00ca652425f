import { z } from 'zod';
import { RuleRef, text } from '../schema.ts';

/** What a caller thought of a search it made (contract 6.5). A `search_id` that is none answers as an unknown one. */
export const FeedbackInput = z
  .object({
    search_id: text(1, 200).describe('The search_id of the answer that this is about.'),
    bundles: z
      .array(z.object({ ref: RuleRef, verdict: z.enum(['relevant', 'irrelevant']) }).strict())
      .max(50)
      .describe('What you think of rules that were found; may be empty.'),
    missing: z.array(RuleRef).max(50).describe('Rules that should have been found; may be empty.'),
  })
  .strict()
  .refine(({ bundles, missing }) => bundles.length + missing.length > 0, 'say something of at least one rule');

export const Recorded = z.object({ recorded: z.int() }).strict();
