import type { RuleReader } from '../ports.ts';
import type { VisibleStatus } from '../schema.ts';
import { headsOf, type Head, type HeadQuery } from './heads.ts';
import type { LexicalQuery } from './lexical/query.ts';
import { readQuery } from './lexical/read-query.ts';
import { feedbackStems, waysOf } from './lexical/ways.ts';
import { pruned } from './lexical/prune.ts';
import type { Candidate, RankRequest, RuleSearch } from './ports.ts';

/** Hits of one stage that are looked at. */
export const POOL = 200;
/** Answers whose words are fed back, where that is switched on. */
const FED_BACK = 3;

export interface StageAParts {
  readonly search: RuleSearch;
  readonly rules: Pick<RuleReader, 'find'>;
}

export interface StageAQuery extends HeadQuery {
  readonly text?: string | undefined;
  /** Phrases to look for as they are. */
  readonly given: readonly string[];
  readonly proposals: boolean;
}

export interface StageAResult {
  readonly query: LexicalQuery;
  readonly heads: readonly Head[];
}

export const statusesOf = ({ proposals }: Pick<StageAQuery, 'proposals'>): VisibleStatus[] => [
  'confirmed',
  'superseded',
  ...(proposals ? (['proposed'] as const) : []),
];

/** The lexical stage in one scope (contract 7): candidates, then what they stand for on the day, best first. */
export async function stageA(parts: StageAParts, scope: string, request: StageAQuery): Promise<StageAResult> {
  const { analysis } = parts.search;
  const query = await readQuery(analysis, await parts.search.vocabulary(scope), request.text, request.given);
  if (query.terms.length === 0) return { query, heads: [] };
  const rest = { statuses: statusesOf(request), day: request.day, limit: POOL };
  const candidates = await pool(parts, scope, query, rest);
  return { query, heads: await headsOf(parts.rules, scope, candidates, request) };
}

/** Candidates of every way; with feedback switched on, asked once more with what the best ones say about themselves. */
async function pool(
  { search, rules }: StageAParts,
  scope: string,
  query: LexicalQuery,
  rest: Omit<RankRequest, 'ways'>,
): Promise<readonly Candidate[]> {
  const ways = await pruned(waysOf(query, search.analysis), await search.vocabulary(scope));
  if (!search.analysis.settings.features.prf) return search.rank(scope, { ...rest, ways });
  const best = await search.rank(scope, { ...rest, ways, limit: FED_BACK });
  const read = await Promise.all(best.map(({ ruleId }) => rules.find(scope, ruleId)));
  const prf = feedbackStems(
    read.flatMap(rule => (rule ? [rule.current] : [])),
    search.analysis,
  );
  return search.rank(scope, { ...rest, ways: { ...ways, prf } });
}
