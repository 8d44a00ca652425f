import type { RuleVersion } from '../model.ts';
import type { RuleReader, StoredRule } from '../ports.ts';
import type { VisibleStatus } from '../schema.ts';
import { inForce } from './in-force.ts';
import { evidenceOf } from './lexical/evidence.ts';
import type { LexicalQuery } from './lexical/query.ts';
import { readQuery } from './lexical/read-query.ts';
import type { LexicalSettings } from './lexical/settings.ts';
import { feedbackStems, waysOf } from './lexical/ways.ts';
import type { Candidate, RankRequest, RuleSearch } from './ports.ts';

const POOL = 200;
const COVERED = 50;
const MAX_HOPS = 20;

export interface StageAParts {
  readonly search: RuleSearch;
  readonly rules: Pick<RuleReader, 'find'>;
}

export interface StageAQuery {
  readonly text?: string | undefined;
  /** Phrases to look for as they are. */
  readonly given: readonly string[];
  /** Rules must hold on this day. */
  readonly day: string;
  readonly proposals: boolean;
  readonly relation?: { readonly kind: string; readonly name: string } | undefined;
}

/** One rule that answers a query. */
export interface Found {
  readonly rule: StoredRule;
  /** Comparable within one search only; four decimals. */
  readonly score: number;
  readonly foundVia: readonly string[];
  /** Share of the query's weight that the rule matches, three decimals; null past the first 50. */
  readonly coverage: number | null;
  readonly matchedTerms: number | null;
}

export interface StageAResult {
  readonly query: LexicalQuery;
  readonly found: readonly Found[];
}

/**
 * The lexical stage in one scope (contract 7): candidates, then dates, proposals and relation, then one entry a rule, best first.
 * A rule that no longer holds stands for the one that replaced it.
 */
export async function stageA(parts: StageAParts, scope: string, request: StageAQuery): Promise<StageAResult> {
  const { analysis } = parts.search;
  const vocabulary = await parts.search.vocabulary(scope);
  const query = await readQuery(analysis, vocabulary, request.text, request.given);
  if (query.terms.length === 0) return { query, found: [] };
  const statuses: VisibleStatus[] = ['confirmed', 'superseded', ...(request.proposals ? (['proposed'] as const) : [])];
  const candidates = await pool(parts.search, scope, query, { statuses, day: request.day, limit: POOL });
  const heads = await headsOf(parts, scope, candidates, request);
  return { query, found: await explained(parts.search, scope, query, heads) };
}

/** Candidates of every way; with feedback switched on, asked once more with what the best ones say about themselves. */
async function pool(
  search: RuleSearch,
  scope: string,
  query: LexicalQuery,
  rest: Omit<RankRequest, 'ways'>,
): Promise<readonly Candidate[]> {
  const { settings }: { settings: LexicalSettings } = search.analysis;
  const ways = waysOf(query, search.analysis);
  if (!settings.features.prf) return search.rank(scope, { ...rest, ways });
  const best = await search.rank(scope, { ...rest, ways, limit: 3 });
  const prf = feedbackStems(
    best.map(({ rule }) => rule.current),
    search.analysis,
  );
  return search.rank(scope, { ...rest, ways: { ...ways, prf } });
}

interface HeadFound {
  readonly rule: StoredRule;
  readonly score: number;
  /** Ids of the rules that were hit and stand for it. */
  readonly hits: string[];
}

async function headsOf(
  parts: StageAParts,
  scope: string,
  candidates: readonly Candidate[],
  request: StageAQuery,
): Promise<HeadFound[]> {
  const heads = new Map<string, HeadFound>();
  for (const { rule, score } of candidates) {
    const head = await headOf(parts, scope, rule, request.day);
    if (!head || !related(head, request.relation)) continue;
    const known = heads.get(head.current.ruleId);
    if (known) known.hits.push(rule.current.ruleId);
    else heads.set(head.current.ruleId, { rule: head, score, hits: [rule.current.ruleId] });
  }
  return [...heads.values()];
}

async function explained(
  search: RuleSearch,
  scope: string,
  query: LexicalQuery,
  heads: readonly HeadFound[],
): Promise<Found[]> {
  const ids = new Set(heads.slice(0, COVERED).flatMap(({ rule, hits }) => [rule.current.ruleId, ...hits]));
  const texts = await search.indexed(scope, [...ids]);
  return heads.map(({ rule, score, hits }, place) => {
    const head = place < COVERED ? texts.get(rule.current.ruleId) : undefined;
    const others = hits.filter(id => id !== rule.current.ruleId).flatMap(id => texts.get(id) ?? []);
    const evidence = head && evidenceOf(search.analysis, query, head, others);
    return {
      rule,
      score: Number(score.toFixed(4)),
      foundVia: evidence?.foundVia ?? [],
      coverage: evidence?.coverage ?? null,
      matchedTerms: evidence?.matchedTerms ?? null,
    };
  });
}

/** The rule a hit stands for on the day, or undefined when it stands for none. */
async function headOf(
  { rules }: StageAParts,
  scope: string,
  hit: StoredRule,
  day: string,
): Promise<StoredRule | undefined> {
  if (hit.current.status === 'proposed') return hit;
  let rule = hit;
  for (let hops = 0; hops <= MAX_HOPS; hops++) {
    const current: RuleVersion = rule.current;
    if (current.status !== 'confirmed' && current.status !== 'superseded') return undefined;
    if (inForce(current, day)) return rule;
    const ended = current.validUntil !== null && current.validUntil <= day;
    const next = ended && current.supersededBy !== null ? await rules.find(scope, current.supersededBy) : undefined;
    if (!next) return undefined;
    rule = next;
  }
  return undefined;
}

const related = ({ current }: StoredRule, relation: StageAQuery['relation']): boolean =>
  relation === undefined ||
  current.relations.some(one => one.kind === relation.kind && one.name.toLowerCase() === relation.name.toLowerCase());
