import type { TenantGate } from '../auth/ports.ts';
import type { HttpOptions, RecordCall } from '../http/index.ts';
import type { Log } from '../kernel/log.ts';
import { RULE_INSTRUCTIONS } from '../rules/index.ts';
import { agentRules } from './agent.ts';
import { approvalApp } from './approval.ts';
import { startOperator } from './operator.ts';
import type { Rules } from './rules.ts';
import type { Verifiers } from './verifier.ts';

export interface SurfaceParts {
  readonly rules: Rules;
  readonly verifiers: NonNullable<Verifiers['rules']>;
  readonly tenants: TenantGate;
  readonly tenant: string;
  readonly dataDir: string;
  /** Version of the package. */
  readonly version: string;
  readonly record: RecordCall;
  readonly log: Log;
}

/** The rules surface as the server mounts it, and the socket of whoever runs the instance beside it. */
export interface RulesSurface {
  readonly tools: HttpOptions['ops'];
  readonly http: NonNullable<HttpOptions['rules']>;
  /** Takes the socket away. */
  stop(): Promise<void>;
}

/** What agents and programs reach, the pages on which people decide, and the operator's socket. Rejects with a StartRefusal. */
export async function rulesSurface(parts: SurfaceParts): Promise<RulesSurface> {
  const { rules, verifiers, tenants, tenant, dataDir, version, record, log } = parts;
  const { api, approval: verifier, signIn } = verifiers;
  const { tools, access } = agentRules(rules, version);
  const approval = approvalApp({ rules, verifier, signIn, tenants, tenant, record, log });
  const operator = await startOperator({ ...rules, rules: rules.settings, tenant, dataDir, version, log });
  return {
    tools,
    http: { access, verifier: api, tenant, instructions: RULE_INSTRUCTIONS, approval },
    stop: operator.stop,
  };
}
