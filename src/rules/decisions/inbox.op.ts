import type { RuleReader, Scopes } from '../ports.ts';
import { versionRef } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { versionOut } from '../version-out.ts';
import { dueBefore, type DueParts } from './due.ts';
import type { RejectedReader } from './ports.ts';
import { Inbox, InboxInput } from './schema.ts';

export interface InboxDeps extends DueParts {
  readonly rules: Pick<RuleReader, 'list' | 'countReviewedBefore'>;
  readonly scopes: Pick<Scopes, 'state' | 'counts'>;
  readonly rejected: Pick<RejectedReader, 'count'>;
}

const SHOWN = 200;

/** What waits for a decision in the scopes of the grant, or in one of them. */
export const inbox = defineRuleOp({
  name: 'inbox',
  surface: 'approval',
  effect: 'read',
  right: 'decide',
  logs: 'list_proposals',
  summary: 'List what waits for a decision, per scope, oldest first.',
  input: InboxInput,
  output: Inbox,
  touches: ({ scope }) => (scope === undefined ? 'granted' : { scopes: [scope] }),
  async run({ rules, scopes, rejected, ...due }: InboxDeps, { grant, now }, { scope: only, text }) {
    const wanted = text?.toLowerCase();
    const found = [];
    for (const scope of only === undefined ? grant.scopes : [only]) {
      const locked = (await scopes.state(scope)).lock !== null;
      const all = locked ? [] : await rules.list(scope, { statuses: ['proposed'], limit: Number.MAX_SAFE_INTEGER });
      const left = all.filter(
        ({ current: { statement, quote } }) =>
          wanted === undefined || [statement, quote].some(one => one.toLowerCase().includes(wanted)),
      );
      const proposals = left.slice(0, SHOWN);
      const counts = locked ? null : await scopes.counts(scope);
      found.push({
        scope,
        locked,
        waiting: left.length,
        counts: counts && {
          confirmed: counts.confirmed,
          superseded: counts.superseded,
          rejected: await rejected.count(scope),
          due: await rules.countReviewedBefore(scope, dueBefore(due, now())),
        },
        proposals,
      });
    }
    return {
      status: 200,
      output: {
        scopes: found.map(({ proposals, ...rest }) => ({
          ...rest,
          proposals: proposals.map(({ current, createdAt }) => ({ ...versionOut(current), created_at: createdAt })),
        })),
      },
      log: found
        .filter(({ locked }) => !locked)
        .map(({ scope, proposals }) => ({
          scope,
          refs: proposals.map(({ current }) => versionRef(current.ruleId, current.version)),
        })),
    };
  },
});
