import type { RuleVersion } from '../model.ts';
import type { RuleReader, StoredRule } from '../ports.ts';
import { inForce } from './in-force.ts';
import type { Candidate } from './ports.ts';

const MAX_HOPS = 20;

/** A rule that stands for what was hit. */
export interface Head {
  readonly rule: StoredRule;
  /** Of its best hit. */
  readonly score: number;
  /** Ids of the rules that were hit and stand for it. */
  readonly hits: string[];
}

export interface HeadQuery {
  /** Rules must hold on this day. */
  readonly day: string;
  readonly relation?: { readonly kind: string; readonly name: string } | undefined;
  /** No more heads than these are looked for. */
  readonly most: number;
}

/** Hits as the rules that hold on the day, each once, in the order of their best hit (contract 7.5, 7.6). */
export async function headsOf(
  rules: Pick<RuleReader, 'find'>,
  scope: string,
  candidates: readonly Candidate[],
  query: HeadQuery,
): Promise<Head[]> {
  const heads = new Map<string, Head>();
  for (const { ruleId, score } of candidates) {
    const rule = await rules.find(scope, ruleId);
    const head = rule && (await standingFor(rules, scope, rule, query.day));
    if (!head || !related(head, query.relation)) continue;
    const known = heads.get(head.current.ruleId);
    if (known) known.hits.push(ruleId);
    else heads.set(head.current.ruleId, { rule: head, score, hits: [ruleId] });
    if (heads.size === query.most) break;
  }
  return [...heads.values()];
}

/** The rule a hit stands for on the day, or undefined when it stands for none. */
async function standingFor(
  rules: Pick<RuleReader, 'find'>,
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

const related = ({ current }: StoredRule, relation: HeadQuery['relation']): boolean =>
  relation === undefined ||
  current.relations.some(one => one.kind === relation.kind && one.name.toLowerCase() === relation.name.toLowerCase());
