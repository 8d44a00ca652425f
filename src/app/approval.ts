import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { z } from 'zod';
import type { ApprovalVerifier, TenantGate } from '../auth/ports.ts';
import { approvalRoutes, type Approver, type SignIn } from '../http/approval/index.ts';
import { recorded, type Asking, type RecordCall } from '../http/index.ts';
import type { Log } from '../kernel/log.ts';
import { decideRule } from '../rules/decisions/decide.op.ts';
import { inbox } from '../rules/decisions/inbox.op.ts';
import { listRejected } from '../rules/decisions/list-rejected.op.ts';
import { recheck } from '../rules/decisions/recheck.op.ts';
import type { Inbox, Recheck, RejectedList, RuleShown } from '../rules/decisions/schema.ts';
import { showRule } from '../rules/decisions/show-rule.op.ts';
import { exportScope } from '../rules/export/export-scope.op.ts';
import type { ExportFiles } from '../rules/export/schema.ts';
import { withRuleDeps, type BoundRuleOp } from '../rules/index.ts';
import type { SearchResponse } from '../rules/search/schema.ts';
import { searchRules } from '../rules/search/search-rules.op.ts';
import { tarballs } from '../storage/lanes/tarball/index.ts';
import { sqliteDecisionWriter } from '../storage/sqlite/scopes/decide.ts';
import { sqliteRejectedReader } from '../storage/sqlite/scopes/rejected-similar.ts';
import { sqliteServedReader } from '../storage/sqlite/scopes/served.ts';
import { sqliteScopeExports } from '../storage/sqlite/scopes/snapshot.ts';
import type { Rules } from './rules.ts';

export interface ApprovalAppParts {
  readonly rules: Omit<Rules, 'memory' | 'report' | 'close'>;
  readonly verifier: ApprovalVerifier;
  readonly signIn: SignIn;
  readonly tenants: TenantGate;
  /** The served tenant. */
  readonly tenant: string;
  readonly record: RecordCall;
  readonly log: Log;
}

/** The op by which a person decides. The writer of decisions is handed out here and nowhere else. */
export const decidingOp = ({ files, rules, sources }: Pick<Rules, 'files' | 'rules' | 'sources'>): BoundRuleOp =>
  withRuleDeps(decideRule, { decisions: sqliteDecisionWriter(files), rules, sources });

/** The approval pages and the route of a decision, to be mounted at the root of a server. */
export function approvalApp({
  rules: parts,
  tenant,
  record,
  ...rest
}: ApprovalAppParts): Hono<{ Bindings: HttpBindings }> {
  const { settings, grants, call, files, scopes, rules, sources, search, calendar, clock } = parts;
  const rejected = sqliteRejectedReader(files);
  const { instance, zone, recheckAfterDays } = settings;
  const due = { rules, calendar, recheckAfterDays };
  const waiting = withRuleDeps(inbox, { ...due, scopes, rejected });
  const shown = withRuleDeps(showRule, { ...due, sources, search, rejected });
  const refused = withRuleDeps(listRejected, { rejected });
  const stale = withRuleDeps(recheck, { ...due, scopes, served: sqliteServedReader(files) });
  const searched = withRuleDeps(searchRules, {
    ...due,
    sources,
    search,
    stages: parts.stages,
    minCoverage: settings.search.minCoverage,
    ticks: () => performance.now(),
  });
  const exported = withRuleDeps(exportScope, { exports: sqliteScopeExports(files, parts.readers), instance, zone });
  const decided = decidingOp(parts);

  async function approverOf(identity: string, asking: Asking): Promise<Approver | undefined> {
    const grant = await grants.find('email', identity);
    if (!grant) return undefined;
    const { id: subject } = grant;
    async function ask(op: BoundRuleOp, input: unknown): Promise<unknown> {
      const about = {
        asking,
        tenant,
        tool: op.name,
        transport: 'approval',
        subject,
        started: performance.now(),
      } as const;
      const run = () => call(op, { grant, channel: 'approval' }, input, asking.signal());
      return (await recorded(record, about, run)).output;
    }
    return {
      grantId: grant.id,
      scopes: grant.scopes,
      async unlocked() {
        const states = await Promise.all(grant.scopes.map(scope => scopes.state(scope)));
        return grant.scopes.filter((_, at) => states[at]!.lock === null);
      },
      inbox: async filter => (await ask(waiting, filter)) as z.output<typeof Inbox>,
      rejected: async filter => (await ask(refused, filter)) as z.output<typeof RejectedList>,
      recheck: async filter => (await ask(stale, filter)) as z.output<typeof Recheck>,
      search: async asked =>
        (await ask(searched, { ...asked, cross_scope: asked.scopes.length > 1 })) as SearchResponse,
      async exported(scope) {
        const { files: made } = (await ask(exported, { scope })) as z.output<typeof ExportFiles>;
        const encoder = new TextEncoder();
        const bytes = await tarballs.pack(made.map(({ path, text }) => ({ path, data: encoder.encode(text) })));
        const stamp = clock()
          .toISOString()
          .replace(/[-:]|\.\d+/g, '');
        return { name: `${instance}-${scope}-${stamp}.tar.gz`, bytes };
      },
      show: async id => (await ask(shown, { id })) as z.output<typeof RuleShown>,
      decide: async decision => (await ask(decided, decision)) as object,
    };
  }
  return approvalRoutes({ ...rest, approverOf, requests: parts.requests, settings, now: clock });
}
