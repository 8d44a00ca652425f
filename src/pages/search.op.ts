import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import { parseFilter, retrieve, snippetOf, type RankedHit } from '../search/index.ts';
import type { LaneFilter } from '../search/ports.ts';
import type { PagesDeps } from './deps.ts';
import type { PageIndex } from './ports.ts';
import { SearchInput, SearchOutput } from './schema.ts';
import { hitEvidence, searchEvidence } from './search-evidence.ts';
import { unknownKeys } from './unknown-keys.ts';
import { checkedPageId, pageRef, timeAndScenario } from './visible.ts';

const TOOL = 'search';
const MOST_HITS = 200;
const MOST_PHRASINGS = 8;

export const search = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'Find blocks or pages by what they say, narrowed by skill, page, time, overlay or header keys.',
  input: SearchInput,
  argumentAliases: { skill_id: 'skill' },
  output: SearchOutput,
  publishesOutput: true,
  async run(deps: Pick<PagesDeps, 'index' | 'access' | 'lanes' | 'catalog'>, ctx, input) {
    const { index, access, lanes } = deps;
    const phrasings = phrasingsOf(input);
    const granularity = granularityOf(input.granularity);
    const { clauses, problems } = parseFilter(input.filter ?? {});
    if (problems.length > 0) {
      return { hits: [], granularity, issues: problems.map(problem => ({ severity: 'error' as const, ...problem })) };
    }
    const k = Math.min(input.k ?? 10, MOST_HITS);
    if ((input.k ?? 0) > MOST_HITS) ctx.note('k', MOST_HITS);
    const { scope } = await access.reader(ctx.principal);
    const filter = {
      ...timeAndScenario(TOOL, input),
      scope,
      pageType: input.page_type === undefined || input.page_type === 'any' ? null : input.page_type,
      skill: input.skill || null,
      pageId: input.page_id ? checkedPageId(TOOL, 'page_id', input.page_id) : null,
      clauses,
    };
    const minCoverage = input.min_coverage ?? 0;
    const found = await retrieve(lanes, { phrasings, granularity, k, filter, minCoverage, signal: ctx.signal });
    const explained = input.explain === true;
    const rows = await Promise.all(found.hits.map(hit => hitRow(index, hit, granularity, found.words, explained)));
    const issues =
      k > 0 && found.hits.length === 0 && clauses.length > 0 ? await keyIssues(deps, phrasings, filter) : [];
    return {
      hits: rows.flatMap(row => row ?? []),
      granularity,
      ...(issues.length > 0 ? { issues } : {}),
      ...(found.abstained && issues.length === 0 ? { abstained: found.abstained } : {}),
      ...(explained ? { explain: searchEvidence(found) } : {}),
    };
  },
});

/** Looks again without the filter, to tell a key that nobody has from a value that nobody has. */
async function keyIssues(
  { index, lanes, catalog }: Pick<PagesDeps, 'index' | 'lanes' | 'catalog'>,
  phrasings: readonly string[],
  filter: LaneFilter,
) {
  const request = { phrasings, granularity: 'page', k: MOST_HITS, filter: { ...filter, clauses: [] } } as const;
  const found = await retrieve({ ...lanes, rerank: undefined }, request);
  const pages = await Promise.all(found.hits.map(({ pageId }) => index.page(pageId)));
  const headers = pages.flatMap(page => (page ? [page.frontmatter] : []));
  return unknownKeys(filter.clauses, await catalog(), headers);
}

/** Anything but "page" is block (E275). */
const granularityOf = (text: string | undefined): 'block' | 'page' =>
  text?.toLowerCase() === 'page' ? 'page' : 'block';

/** Exactly one of q and queries, with something in it (E271, E273; deviations). */
function phrasingsOf(input: { q?: string | undefined; queries?: string[] | undefined }): string[] {
  if (input.q !== undefined && input.queries !== undefined) {
    throw new Failure('invalid_params', `${TOOL}: give q or queries, not both`, { argument: 'queries' });
  }
  const given = (input.queries ?? [input.q ?? '']).map(text => text.trim()).filter(text => text !== '');
  if (given.length === 0)
    throw new Failure('invalid_params', `${TOOL}: q or queries must hold a text`, { argument: 'q' });
  return [...new Set(given)].slice(0, MOST_PHRASINGS);
}

async function hitRow(
  index: PageIndex,
  hit: RankedHit,
  granularity: 'block' | 'page',
  words: readonly string[],
  explained: boolean,
) {
  const page = await index.page(hit.pageId);
  if (!page) return null;
  return {
    ...pageRef(page),
    anchor: granularity === 'page' ? null : hit.anchor || null,
    // A page of a header alone has no text to show (F05).
    snippet: snippetOf(hit.content || page.title, words),
    score: hit.score,
    similarity: hit.evidence.vector?.similarity ?? 0,
    frontmatter_excerpt: page.frontmatter,
    ...(explained ? { explain: hitEvidence(hit) } : {}),
  };
}
