import type { RuleVersion } from '../model.ts';
import type { RuleReader, StoredRule } from '../ports.ts';
import type { VisibleStatus } from '../schema.ts';
import { inForce } from './in-force.ts';
import type { RuleSearch, SearchTerm } from './ports.ts';

const POOL = 200;
const COVERED = 50;
const MAX_HOPS = 20;

export interface StageAParts {
  readonly search: RuleSearch;
  readonly rules: Pick<RuleReader, 'find'>;
}

export interface StageAQuery {
  readonly terms: readonly SearchTerm[];
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

/**
 * The lexical stage in one scope (contract 7): candidates, then dates, proposals and relation, then one entry a rule, best first.
 * A rule that no longer holds stands for the one that replaced it.
 */
export async function stageA(parts: StageAParts, scope: string, query: StageAQuery): Promise<Found[]> {
  const statuses: VisibleStatus[] = ['confirmed', 'superseded', ...(query.proposals ? (['proposed'] as const) : [])];
  const candidates = await parts.search.candidates(scope, query.terms, statuses, POOL);
  const heads = new Map<string, { rule: StoredRule; score: number; hits: string[] }>();
  for (const { rule, score } of candidates) {
    const head = await headOf(parts, scope, rule, query);
    if (!head || !related(head, query.relation)) continue;
    const known = heads.get(head.current.ruleId);
    if (known) known.hits.push(rule.current.ruleId);
    else heads.set(head.current.ruleId, { rule: head, score, hits: [rule.current.ruleId] });
  }
  const asked = new Set([...heads].flatMap(([id, { hits }]) => [id, ...hits]));
  const standing = await parts.search.standing(scope, query.terms, [...asked]);
  const size = await parts.search.size(scope);
  const weights = standing.map(({ rules }) => Math.log(1 + (size + 1) / (rules + 0.5)));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return [...heads].map(([id, { rule, score, hits }], index) => {
    const matched = standing.map(({ among }) => among.has(id));
    const share = weights.reduce((sum, weight, term) => sum + (matched[term] ? weight : 0), 0) / whole;
    const via = query.terms.filter((_, term) => hits.some(hit => standing[term]!.among.has(hit)));
    return {
      rule,
      score: rounded(score, 4),
      foundVia: via.map(term => term.name).sort(),
      coverage: index < COVERED ? rounded(share, 3) : null,
      matchedTerms: index < COVERED ? matched.filter(Boolean).length : null,
    };
  });
}

/** The rule a hit stands for on the day, or undefined when it stands for none. */
async function headOf(
  { rules }: StageAParts,
  scope: string,
  hit: StoredRule,
  { day }: StageAQuery,
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

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
