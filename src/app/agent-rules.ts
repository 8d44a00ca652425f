import { z } from 'zod';
import type { RulesAccess } from '../http/index.ts';
import { Failure } from '../kernel/failure.ts';
import type { BoundOp } from '../kernel/op.ts';
import type { GrantIdentity } from '../kernel/principal.ts';
import { listRules } from '../rules/bundles/list-rules.op.ts';
import { provenance } from '../rules/bundles/provenance.op.ts';
import { readRule } from '../rules/bundles/read-rule.op.ts';
import { feedback } from '../rules/feedback/feedback.op.ts';
import type { Grant } from '../rules/grants/schema.ts';
import { duplicates, withRuleDeps, type BoundRuleOp } from '../rules/index.ts';
import { listProposals } from '../rules/proposals/list-proposals.op.ts';
import { proposeRule } from '../rules/proposals/propose-rule.op.ts';
import { scopesOp } from '../rules/scopes/scopes.op.ts';
import { statusOp } from '../rules/scopes/status.op.ts';
import { searchTool } from '../rules/search/compact/search-tool.op.ts';
import { searchRules } from '../rules/search/search-rules.op.ts';
import { readSource } from '../rules/sources/read-source.op.ts';
import { storeSource } from '../rules/sources/store-source.op.ts';
import { sqliteFeedback } from '../storage/sqlite/scopes/feedback.ts';
import { sqliteProposalWriter } from '../storage/sqlite/scopes/insert-proposed.ts';
import { sqliteSourceWriter } from '../storage/sqlite/scopes/source-writer.ts';
import type { Rules } from './rules.ts';

export interface AgentRules {
  /** Tools for persons, over MCP. */
  readonly tools: readonly BoundOp[];
  readonly access: RulesAccess;
}

/** What agents and programs can do with rules: read, store sources, propose. Nothing here can decide. */
export function agentRules(rules: Rules, version: string): AgentRules {
  const { grants, call, report, requests } = rules;

  type Channel = 'mcp' | 'api';
  async function grantOf(identity: GrantIdentity | undefined, channel: Channel): Promise<Grant | Failure> {
    const grant = identity && (await grants.find(identity.auth, identity.identity));
    if (!grant) return new Failure('unauthorized', 'no grant for this credential');
    if (grant.kind === 'service' && channel !== 'api') return new Failure('channel-not-allowed', 'persons only');
    return grant;
  }
  /** The grant, one request taken off its limit. */
  async function entered(identity: GrantIdentity | undefined, channel: Channel): Promise<Grant> {
    const grant = await grantOf(identity, channel);
    if (grant instanceof Failure) {
      report('rules.denied', { channel, code: grant.code });
      throw grant;
    }
    const wait = requests.take(grant.id);
    if (wait === 0) return grant;
    throw new Failure('rate-limited', `too many requests; retry in ${wait} ms`, { retry_after_ms: wait });
  }

  const asTool = (op: BoundRuleOp): BoundOp => ({
    name: op.name,
    surface: 'rules',
    effect: op.effect,
    execution: 'deterministic',
    scope: 'agent',
    // Counted by grant, against the limits of the rules surface.
    quota: 'none',
    summary: op.summary,
    input: objectOf(op),
    output: z.looseObject({}),
    publishesOutput: false,
    async run({ principal: { grantIdentity }, signal }, input) {
      const grant = await entered(grantIdentity, 'mcp');
      return (await call(op, { grant, channel: 'mcp' }, input, signal)).output as Record<string, unknown>;
    },
  });

  const { tools, api } = boundOps(rules, version);
  const byName = new Map(api.map(op => [op.name, op]));
  return {
    tools: tools.map(asTool),
    access: {
      async refusal(identity, channel) {
        const grant = await grantOf(identity, channel);
        return grant instanceof Failure ? grant : undefined;
      },
      async enter(identity) {
        const grant = await entered(identity, 'api');
        return {
          grantId: grant.id,
          async call(name, input, signal) {
            const { status, output } = await call(byName.get(name)!, { grant, channel: 'api' }, input, signal);
            return { status, output: output as object };
          },
        };
      },
      api: api.map(op => ({ name: op.name, summary: op.summary, input: objectOf(op) })),
    },
  };
}

function boundOps(open: Rules, version: string): { tools: BoundRuleOp[]; api: BoundRuleOp[] } {
  const { files, rules, sources, scopes, search, stages, calendar, clock, report } = open;
  const { publicUrl, recheckAfterDays, instance, zone } = open.settings;
  const { minCoverage } = open.settings.search;
  const reading = { rules, sources, search, calendar, recheckAfterDays };
  const searching = { ...reading, stages, minCoverage, ticks: () => performance.now() };
  const shared = [
    withRuleDeps(readRule, reading),
    withRuleDeps(listRules, reading),
    withRuleDeps(provenance, { rules, sources }),
    withRuleDeps(proposeRule, {
      proposals: sqliteProposalWriter(files),
      rules,
      sources,
      duplicates: (scope, said, except) => duplicates(search, scope, said, calendar.dayOf(clock()), except),
      publicUrl,
    }),
    withRuleDeps(listProposals, { rules, publicUrl }),
    withRuleDeps(feedback, { feedback: sqliteFeedback(files) }),
  ];
  return {
    tools: [withRuleDeps(searchTool, searching), ...shared, withRuleDeps(scopesOp, { scopes })],
    api: [
      withRuleDeps(searchRules, searching),
      ...shared,
      withRuleDeps(storeSource, { sources: sqliteSourceWriter(files), stored: sources, report }),
      withRuleDeps(readSource, { stored: sources, report }),
      withRuleDeps(statusOp, { scopes, stages, instance, zone, version }),
    ],
  };
}

/** Tools take an object of arguments. */
function objectOf({ name, input }: BoundRuleOp): z.ZodObject {
  if (input instanceof z.ZodObject) return input;
  throw new Error(`${name} takes no object`);
}
