import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { z } from 'zod';
import type { ApprovalVerifier, TenantGate } from '../auth/ports.ts';
import { approvalRoutes, type Approver, type SignIn } from '../http/approval/index.ts';
import type { Log } from '../kernel/log.ts';
import { decideRule } from '../rules/decisions/decide.op.ts';
import { inbox } from '../rules/decisions/inbox.op.ts';
import type { Inbox, RuleShown } from '../rules/decisions/schema.ts';
import { showRule } from '../rules/decisions/show-rule.op.ts';
import { withRuleDeps, type BoundRuleOp } from '../rules/index.ts';
import { sqliteDecisionWriter } from '../storage/sqlite/scopes/decide.ts';
import { sqliteRejectedReader } from '../storage/sqlite/scopes/rejected-similar.ts';
import type { Rules } from './rules.ts';

export interface ApprovalAppParts {
  readonly rules: Omit<Rules, 'memory' | 'report' | 'close'>;
  readonly verifier: ApprovalVerifier;
  readonly signIn: SignIn;
  readonly tenants: TenantGate;
  readonly log: Log;
}

/** The op by which a person decides. The writer of decisions is handed out here and nowhere else. */
export const decidingOp = ({ files, rules, sources }: Pick<Rules, 'files' | 'rules' | 'sources'>): BoundRuleOp =>
  withRuleDeps(decideRule, { decisions: sqliteDecisionWriter(files), rules, sources });

/** The approval pages and the route of a decision, to be mounted at the root of a server. */
export function approvalApp({ rules: parts, ...rest }: ApprovalAppParts): Hono<{ Bindings: HttpBindings }> {
  const { settings, grants, call, files, scopes, rules, sources, search, calendar, clock } = parts;
  const { languages } = settings.search;
  const rejected = sqliteRejectedReader(files);
  const waiting = withRuleDeps(inbox, { rules, scopes });
  const shown = withRuleDeps(showRule, { rules, sources, search, rejected, calendar, languages });
  const decided = decidingOp(parts);

  async function approverOf(identity: string): Promise<Approver | undefined> {
    const grant = await grants.find('email', identity);
    if (!grant) return undefined;
    const ask = async (op: BoundRuleOp, input: unknown): Promise<unknown> =>
      (await call(op, { grant, channel: 'approval' }, input)).output;
    return {
      grantId: grant.id,
      scopes: grant.scopes,
      inbox: async filter => (await ask(waiting, filter)) as z.output<typeof Inbox>,
      show: async id => (await ask(shown, { id })) as z.output<typeof RuleShown>,
      decide: async decision => (await ask(decided, decision)) as object,
    };
  }
  return approvalRoutes({ ...rest, approverOf, settings, now: clock });
}
