import type { Scopes, ServedReader } from '../ports.ts';
import { versionRef } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { versionOut } from '../version-out.ts';
import { dueRules, type DueParts } from './due.ts';
import { Recheck, RecheckInput } from './schema.ts';

export interface RecheckDeps extends DueParts {
  readonly scopes: Pick<Scopes, 'state'>;
  readonly served: ServedReader;
}

const SHOWN = 200;

/** Confirmed rules that nobody looked at for long, those first that were handed out most often. */
export const recheck = defineRuleOp({
  name: 'recheck',
  surface: 'approval',
  effect: 'read',
  right: 'decide',
  logs: 'list_rules',
  summary: 'List confirmed rules whose review is due, by how often they were served.',
  input: RecheckInput,
  output: Recheck,
  touches: ({ scope }) => (scope === undefined ? 'granted' : { scopes: [scope] }),
  async run({ scopes, served, ...parts }: RecheckDeps, { grant, now }, { scope: only }) {
    const found = [];
    for (const scope of only === undefined ? grant.scopes : [only]) {
      if ((await scopes.state(scope)).lock !== null) continue;
      const times = await served.served(scope);
      const due = (await dueRules(parts, scope, now()))
        .map(rule => ({ ...rule, served: times.get(rule.current.ruleId) ?? 0 }))
        .toSorted((a, b) => b.served - a.served || b.ageDays - a.ageDays);
      found.push({ scope, due: due.length, rules: due.slice(0, SHOWN) });
    }
    return {
      status: 200,
      output: {
        scopes: found.map(({ rules: shown, ...rest }) => ({
          ...rest,
          rules: shown.map(({ current, lastReviewedAt, ageDays, served: times }) => ({
            ...versionOut(current),
            last_reviewed_at: lastReviewedAt,
            age_days: ageDays,
            served: times,
          })),
        })),
      },
      log: found.map(({ scope, rules: shown }) => ({
        scope,
        refs: shown.map(({ current }) => versionRef(current.ruleId, current.version)),
      })),
    };
  },
});
