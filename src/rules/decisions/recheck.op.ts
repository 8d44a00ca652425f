import type { RuleReader, Scopes, ServedReader, StoredRule } from '../ports.ts';
import { versionRef } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { versionOut } from '../version-out.ts';
import { dueBefore, type DueParts } from './due.ts';
import { Recheck, RecheckInput } from './schema.ts';

export interface RecheckDeps extends DueParts {
  readonly rules: Pick<RuleReader, 'list'>;
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
  async run({ rules, scopes, served, ...due }: RecheckDeps, { grant, now }, { scope: only }) {
    const found = [];
    const reviewedBefore = dueBefore(due, now());
    for (const scope of only === undefined ? grant.scopes : [only]) {
      if ((await scopes.state(scope)).lock !== null) continue;
      const times = await served.served(scope);
      const timesOf = ({ current }: StoredRule): number => times.get(current.ruleId) ?? 0;
      const all = await rules.list(scope, { statuses: ['confirmed'], reviewedBefore, limit: Number.MAX_SAFE_INTEGER });
      const ordered = all.toSorted((a, b) => timesOf(b) - timesOf(a) || byAge(a, b));
      const shown = ordered.slice(0, SHOWN).map(rule => ({
        ...rule,
        served: timesOf(rule),
        ageDays: due.calendar.daysBetween(new Date(rule.lastReviewedAt), now()),
      }));
      found.push({ scope, due: all.length, rules: shown });
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

const byAge = (a: StoredRule, b: StoredRule): number =>
  a.lastReviewedAt < b.lastReviewedAt ? -1 : a.lastReviewedAt > b.lastReviewedAt ? 1 : 0;
