import type { VisibleStatus } from '../schema.ts';
import { headsOf } from './heads.ts';
import { evidenceOf, type Evidence } from './lexical/evidence.ts';
import type { LexicalQuery } from './lexical/query.ts';
import { readQuery } from './lexical/read-query.ts';
import { feedbackStems, waysOf } from './lexical/ways.ts';
import { pruned } from './lexical/prune.ts';
import type { Candidate, Explained, LexicalAnswer, LexicalRequest, RankRequest, SearchedScope } from './ports.ts';

/** Hits of one stage that are looked at. */
export const POOL = 200;
/** Answers whose words are fed back, where that is switched on. */
const FED_BACK = 3;

export const statusesOf = ({ proposals }: Pick<LexicalRequest, 'proposals'>): VisibleStatus[] => [
  'confirmed',
  'superseded',
  ...(proposals ? (['proposed'] as const) : []),
];

/** The lexical stage in one scope (contract 7): candidates, then what they stand for on the day, best first. */
export async function stageA(scope: SearchedScope, request: LexicalRequest): Promise<LexicalAnswer> {
  const { analysis, vocabulary } = scope;
  const query = await readQuery(analysis, vocabulary, request.text, request.given);
  const read = { query, build: analysis.build };
  if (query.terms.length === 0) return { ...read, heads: [], evidence: [] };
  const rest = { statuses: statusesOf(request), day: request.day, limit: POOL };
  const heads = await headsOf(id => scope.find(id), await pool(scope, query, rest), request);
  if (!request.explain) return { ...read, heads, evidence: [] };
  const asked = heads.map(({ rule, hits }) => ({ ruleId: rule.current.ruleId, hits }));
  return { ...read, heads, evidence: await explained(scope, query, asked) };
}

/** Candidates of every way; with feedback switched on, asked once more with what the best ones say about themselves. */
async function pool(
  scope: SearchedScope,
  query: LexicalQuery,
  rest: Omit<RankRequest, 'ways'>,
): Promise<readonly Candidate[]> {
  const { analysis } = scope;
  const ways = await pruned(waysOf(query, analysis), scope.vocabulary);
  if (!analysis.settings.features.prf) return scope.rank({ ...rest, ways });
  const best = await scope.rank({ ...rest, ways, limit: FED_BACK });
  const read = await Promise.all(best.map(({ ruleId }) => scope.find(ruleId)));
  const prf = feedbackStems(
    read.flatMap(rule => (rule ? [rule.current] : [])),
    analysis,
  );
  return scope.rank({ ...rest, ways: { ...ways, prf } });
}

/** Why heads answer a question (contract 7.6, 7.6a); null for one that is not indexed. */
export async function explained(
  { analysis, indexed }: Pick<SearchedScope, 'analysis' | 'indexed'>,
  query: LexicalQuery,
  heads: readonly Explained[],
): Promise<(Evidence | null)[]> {
  const texts = await indexed([...new Set(heads.flatMap(({ ruleId, hits }) => [ruleId, ...hits]))]);
  return heads.map(({ ruleId, hits }) => {
    const head = texts.get(ruleId);
    const others = hits.filter(id => id !== ruleId).flatMap(id => texts.get(id) ?? []);
    return head ? evidenceOf(analysis, query, head, others) : null;
  });
}
