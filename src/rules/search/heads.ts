import type { RuleVersion } from '../model.ts';
import type { StoredRule } from '../ports.ts';
import { inForce } from './in-force.ts';
import type { Candidate, Head, HeadQuery } from './ports.ts';

const MAX_HOPS = 20;

type Find = (ruleId: string) => Promise<StoredRule | undefined>;

/** Hits as the rules that hold on the day, each once, in the order of their best hit (contract 7.5, 7.6). */
export async function headsOf(find: Find, candidates: readonly Candidate[], query: HeadQuery): Promise<Head[]> {
  const heads = new Map<string, Head>();
  for (const { ruleId, score, status } of candidates) {
    const full = heads.size === query.most;
    if (full && !query.explain) break;
    // Only what was replaced can stand for another rule, which may be a head already.
    if (full && status !== 'superseded') continue;
    const rule = await find(ruleId);
    const head = rule && (await standingFor(find, rule, query.day));
    if (!head || !related(head, query.relation)) continue;
    const known = heads.get(head.current.ruleId);
    if (known) known.hits.push(ruleId);
    else if (!full) heads.set(head.current.ruleId, { rule: head, score, hits: [ruleId] });
  }
  return [...heads.values()];
}

/** The rule a hit stands for on the day, or undefined when it stands for none. */
async function standingFor(find: Find, hit: StoredRule, day: string): Promise<StoredRule | undefined> {
  if (hit.current.status === 'proposed') return hit;
  let rule = hit;
  for (let hops = 0; hops <= MAX_HOPS; hops++) {
    const current: RuleVersion = rule.current;
    if (current.status !== 'confirmed' && current.status !== 'superseded') return undefined;
    if (inForce(current, day)) return rule;
    const ended = current.validUntil !== null && current.validUntil <= day;
    const next = ended && current.supersededBy !== null ? await find(current.supersededBy) : undefined;
    if (!next) return undefined;
    rule = next;
  }
  return undefined;
}

const related = ({ current }: StoredRule, relation: HeadQuery['relation']): boolean =>
  relation === undefined ||
  current.relations.some(one => one.kind === relation.kind && one.name.toLowerCase() === relation.name.toLowerCase());
