import type { Calendar } from '../calendar.ts';
import type { RuleReader } from '../ports.ts';
import { scopeOf } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import type { VisibleStatus } from '../schema.ts';
import { headOf } from './head.ts';
import { ListRulesInput, RuleList } from './schema.ts';

export interface ListRulesDeps {
  readonly rules: Pick<RuleReader, 'list'>;
  readonly calendar: Calendar;
  readonly recheckAfterDays: number;
}

const EVERY: readonly VisibleStatus[] = ['proposed', 'confirmed', 'superseded'];

/** Rules of one scope in the order in which they were made, as heads. */
export const listRules = defineRuleOp({
  name: 'list_rules',
  surface: 'rules',
  effect: 'read',
  right: 'read',
  logs: 'list_rules',
  summary: 'List the rules of a scope, filtered by status, kind or relation.',
  input: ListRulesInput,
  output: RuleList,
  touches: ({ scope, after }) => ({ scopes: [scope], named: after === undefined ? [] : [scopeOf(after)] }),
  async run(
    { rules, calendar, recheckAfterDays }: ListRulesDeps,
    ctx,
    { scope, status, kind, relation, limit, after },
  ) {
    const found = await rules.list(scope, {
      statuses: status ? [status] : EVERY,
      kind,
      relation: relation === undefined ? undefined : readRelation(relation),
      after,
      limit: limit + 1,
    });
    const view = { scope, calendar, recheckAfterDays, now: ctx.now() };
    const shown = found
      .slice(0, limit)
      .map(rule => ({ id: rule.current.ruleId, head: headOf(rule.current, rule, view) }));
    return {
      status: 200,
      output: { rules: shown.map(({ head }) => head), next: found.length > limit ? shown.at(-1)!.id : null },
      log: [{ scope, refs: shown.map(({ head }) => head.ref) }],
    };
  },
});

const readRelation = (relation: string) => ({
  kind: relation.slice(0, relation.indexOf(':')),
  name: relation.slice(relation.indexOf(':') + 1),
});
