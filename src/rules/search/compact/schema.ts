import { z } from 'zod';
import { Entry, Group, Head } from '../../bundles/schema.ts';
import { SearchRequest, SearchResponse } from '../schema.ts';

/** A search by an agent: how much of each bundle it wants to see (contract 6.5). */
export const SearchToolRequest = SearchRequest.safeExtend({
  scopes: SearchRequest.shape.scopes.describe('Where to look; more than one needs cross_scope.'),
  text: SearchRequest.shape.text.describe(
    'A question, or the text to find rules for. Needed where there are no terms.',
  ),
  terms: SearchRequest.shape.terms.describe('Words or phrases to look for as they are. Needed where there is no text.'),
  as_of: SearchRequest.shape.as_of.describe(
    'The day on which the rules must hold, YYYY-MM-DD; today when it is left out.',
  ),
  detail: z.enum(['compact', 'full']).default('compact').describe('How much of each bundle to answer.'),
});

const { ref, kind, status, scope, title, date, valid_from, valid_until, recheck, coverage, source } = Head.shape;

const CompactHead = z
  .object({
    ref,
    kind,
    status,
    scope,
    title,
    quote: z.string(),
    date,
    valid_from,
    valid_until,
    recheck,
    source: source.omit({ quote: true }),
    coverage,
  })
  .strict();

/** `proposed_refs`: those of `refs` whose link nobody confirmed; absent when there is none. */
const CompactGroup = z
  .object({
    kind: Group.shape.kind,
    count: z.int(),
    refs: z.array(z.string()).max(5),
    proposed_refs: z.array(z.string()).min(1).max(5).optional(),
  })
  .strict();

const CompactBundle = z.object({ head: CompactHead, groups: z.array(CompactGroup), line: z.string() }).strict();

const RelatedEntry = Entry.pick({ ref: true, kind: true, date: true, title: true });

/**
 * The bundles with refs in place of entries; each entry stands once in `related`. `truncated` says what was left out to stay
 * below the size limit.
 */
export const CompactSearchResponse = SearchResponse.pick({
  search_id: true,
  scopes: true,
  stages: true,
  abstained: true,
})
  .extend({
    query: SearchResponse.shape.query.pick({ terms: true }),
    bundles: z.array(CompactBundle),
    related: z.array(RelatedEntry),
    truncated: z
      .object({
        omitted: z.int().min(0),
        omitted_refs: z.int().min(1).optional(),
        quote_cut: z.literal(true).optional(),
      })
      .strict()
      .nullable(),
  })
  .strict();

export type CompactSearchResponse = z.output<typeof CompactSearchResponse>;
export type CompactBundle = z.output<typeof CompactBundle>;

export const SearchToolResponse = z.union([CompactSearchResponse, SearchResponse]);
