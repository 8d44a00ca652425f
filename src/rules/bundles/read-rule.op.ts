import { Failure } from '../../kernel/failure.ts';
import type { Calendar } from '../calendar.ts';
import type { RuleVersion } from '../model.ts';
import type { RuleReader } from '../ports.ts';
import { readRuleRef, scopeOf } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { inForce } from '../search/in-force.ts';
import { decisionOut, versionOut } from '../version-out.ts';
import { bundleOf, type BundleParts } from './bundle.ts';
import { ReadRuleInput, RuleRead } from './schema.ts';

export interface ReadRuleDeps extends BundleParts {
  readonly rules: RuleReader;
  readonly calendar: Calendar;
  readonly recheckAfterDays: number;
}

/** One rule with its evidence, history and decisions. A rejected rule does not exist here, nor does any version of it. */
export const readRule = defineRuleOp({
  name: 'read_rule',
  surface: 'rules',
  effect: 'read',
  right: 'read',
  logs: 'read_rule',
  summary: 'Read one rule with its source, thread, attachments, related rules, history and decisions.',
  input: ReadRuleInput,
  output: RuleRead,
  touches: ({ ref }) => ({ scopes: [scopeOf(readRuleRef(ref).id)] }),
  async run({ calendar, recheckAfterDays, ...parts }: ReadRuleDeps, ctx, { ref, as_of: asOf }) {
    const { id, version: asked } = readRuleRef(ref);
    const scope = scopeOf(id);
    const rule = await parts.rules.find(scope, id);
    const all = rule && rule.current.status !== 'rejected' ? await parts.rules.versions(scope, id) : [];
    const version =
      asOf === undefined || asked !== undefined
        ? all.find(one => one.version === (asked ?? rule?.current.version))
        : (all.findLast(one => calendar.dayOf(new Date(one.changedAt)) <= asOf) ?? stoodOn(asOf, rule?.current));
    if (!rule || !version) throw new Failure('not-found', 'no such rule');
    const now = ctx.now();
    const day = asOf ?? calendar.dayOf(now);
    const bundle = await bundleOf(parts, version, rule, { scope, calendar, now, recheckAfterDays, day });
    return {
      status: 200,
      log: [{ scope, refs: [bundle.head.ref] }],
      output: {
        ...bundle,
        version: versionOut(version),
        history: all.map(historyOf),
        decisions: (await parts.rules.decisions(scope, id)).map(decisionOut),
      },
    };
  },
});

/** What was recorded only later and held on a day all the same: a search of that day finds it (contract 7.5). */
const stoodOn = (day: string, version: RuleVersion | undefined): RuleVersion | undefined =>
  version && (version.status === 'confirmed' || version.status === 'superseded') && inForce(version, day)
    ? version
    : undefined;

const historyOf = ({ version, status, changedAt, reason }: RuleVersion) => ({
  version,
  status,
  changed_at: changedAt,
  reason,
});
