import { annotateForeign, renderResultForModel } from '../../../security/index.ts';
import { defineRuleOp } from '../../rule-op.ts';
import { searchRules, type SearchRulesDeps } from '../search-rules.op.ts';
import { compact } from './compact.ts';
import { SearchToolRequest, SearchToolResponse, type CompactSearchResponse } from './schema.ts';

/** Agents were seen to fail on answers of 51,000 characters and more (contract 6.5). */
const SEARCH_COMPACT_MAX_CHARS = 30_000;

/** The search of agents: the same search and the same log row as for everyone, and an answer that a model can hold. */
export const searchTool = defineRuleOp({
  ...searchRules,
  summary: [
    'Cite every bundle with its date and source.',
    'If a head carries recheck, ask the person "still valid?" before applying it and read provenance first.',
    'If a stage did not run and nothing was found, say which stages ran.',
    'Prefer rules that state a restriction for the action you are planning.',
    'Groups list refs, each entry once in related; for a full bundle call read_rule or pass detail: "full", and if truncated is set, search narrower for the omitted bundles.',
  ].join(' '),
  input: SearchToolRequest,
  output: SearchToolResponse,
  async run(deps: SearchRulesDeps, ctx, { detail, ...request }) {
    const done = await searchRules.run(deps, ctx, request);
    if (detail === 'full') return done;
    return { ...done, output: compact(done.output, sizeForModel, SEARCH_COMPACT_MAX_CHARS) };
  },
});

/** Characters of the larger of the two forms in which a model gets an answer. */
function sizeForModel(answer: CompactSearchResponse): number {
  const annotated = annotateForeign(answer);
  return Math.max(renderResultForModel(annotated).length, JSON.stringify(annotated).length);
}
