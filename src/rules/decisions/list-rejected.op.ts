import { versionRef, scopeOf } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { versionOut } from '../version-out.ts';
import type { RejectedReader } from './ports.ts';
import { RejectedInput, RejectedList } from './schema.ts';

export interface ListRejectedDeps {
  readonly rejected: Pick<RejectedReader, 'list'>;
}

/** Rules that a person rejected, the newest first, with the reason. */
export const listRejected = defineRuleOp({
  name: 'list_rejected',
  surface: 'approval',
  effect: 'read',
  right: 'decide',
  logs: 'list_rejected',
  summary: 'List rejected rules, the newest first.',
  input: RejectedInput,
  output: RejectedList,
  touches: ({ scope, after }) => ({ scopes: [scope], named: after === undefined ? [] : [scopeOf(after)] }),
  async run({ rejected }: ListRejectedDeps, _ctx, { scope, q = '', match, limit, after }) {
    const words = wordsOf(q, match);
    const found = await rejected.list(scope, { words, match, after, limit: limit + 1 });
    const rules = found.slice(0, limit).map(one => ({ ref: versionRef(one.ruleId, one.version), ...versionOut(one) }));
    return {
      status: 200,
      output: { rules, next: found.length > limit ? rules.at(-1)!.rule_id : null },
      log: [{ scope, refs: rules.map(({ ref }) => ref) }],
    };
  },
});

/** Shorter ones stand in every text: of a question they say nothing. */
const SAYS_SOMETHING = 4;

function wordsOf(q: string, match: 'all' | 'any'): readonly string[] {
  const all = q.toLowerCase().split(/\s+/u).filter(Boolean);
  const longer = all.filter(word => word.length >= SAYS_SOMETHING);
  return match === 'any' && longer.length > 0 ? longer : all;
}
