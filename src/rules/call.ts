import type { z } from 'zod';
import { asFailure, Failure, FAILURES } from '../kernel/failure.ts';
import type { Right } from './grants/schema.ts';
import type { AccessLog, LogRow, Scopes } from './ports.ts';
import type { BoundRuleOp, CallerGrant, Channel, RuleCtx, Touched } from './rule-op.ts';

/** The most rights a channel gives (rules-gaps 1). */
const CHANNEL_RIGHTS: Readonly<Record<Channel, readonly Right[]>> = {
  mcp: ['read', 'propose'],
  api: ['read', 'propose'],
  approval: ['read', 'propose', 'decide'],
};

/** Who calls, and where. Without a grant the caller is nobody here. */
export interface RuleCaller {
  readonly grant: CallerGrant | undefined;
  readonly channel: Channel;
}

export interface RuleCallParts {
  readonly scopes: Pick<Scopes, 'ensureOpen' | 'state'>;
  readonly log: AccessLog;
  readonly now: () => Date;
  readonly uuid: () => string;
  /** The process log: names, codes and ids only. */
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
}

export interface RuleAnswer {
  /** As HTTP counts. */
  readonly status: 200 | 201;
  readonly output: unknown;
}

export type RuleCall = (op: BoundRuleOp, caller: RuleCaller, raw: unknown, signal?: AbortSignal) => Promise<RuleAnswer>;

/**
 * The one way to a rules op, in the order of contract 5.2: grant, input, scopes, number of scopes, right, files, run, log.
 * Refuses with a Failure whose code is the wire's.
 */
export function createRuleCall(parts: RuleCallParts): RuleCall {
  async function opened(grant: CallerGrant, touched: Touched | 'granted'): Promise<readonly string[]> {
    if (touched !== 'granted') {
      for (const scope of touched.scopes) await parts.scopes.ensureOpen(scope);
      return touched.scopes;
    }
    const states = await Promise.all(grant.scopes.map(scope => parts.scopes.state(scope)));
    return grant.scopes.filter((_, index) => states[index]!.lock === null);
  }

  return async (op, caller, raw, signal) => {
    let admitted: Admitted;
    try {
      admitted = admit(op, caller, raw);
    } catch (thrown) {
      const { code } = asFailure(thrown);
      parts.report('rules.denied', { grant: caller.grant?.id ?? '', channel: caller.channel, op: op.name, code });
      throw thrown;
    }
    const { grant, input, touched } = admitted;
    const scopes = await opened(grant, touched);
    const callId = parts.uuid();
    const row = (outcome: number, refs: readonly string[]): LogRow => ({
      id: callId,
      at: parts.now().toISOString(),
      grantId: grant.id,
      channel: caller.channel,
      operation: op.logs!,
      outcome,
      crossScope: touched !== 'granted' && touched.across === true && touched.scopes.length > 1,
      refs,
    });
    const ctx: RuleCtx = { grant, channel: caller.channel, callId, now: parts.now, signal, logRow: row };
    let done;
    try {
      done = await op.run(ctx, input);
    } catch (thrown) {
      const failure = asFailure(thrown);
      const { current } = failure.data;
      const refs = typeof current === 'string' ? [current] : [];
      if (op.logs) await logRefusal(scopes, row(FAILURES[failure.code].http, refs));
      throw failure;
    }
    for (const { scope, refs, search } of op.logs ? done.log : []) {
      await parts.log.write(scope, { ...row(done.status, refs), search });
    }
    return { status: done.status, output: op.output.parse(done.output) };
  };

  /** The refusal itself matters more to the caller than that it was logged. */
  async function logRefusal(scopes: readonly string[], row: LogRow): Promise<void> {
    if (row.operation === 'search')
      row = { ...row, search: { terms: [], variants: {}, stages: {}, inputSha256: null } };
    for (const scope of scopes) {
      try {
        await parts.log.write(scope, row);
      } catch (thrown) {
        parts.report('rules.not-logged', { scope, call: row.id, reason: asFailure(thrown).code });
      }
    }
  }
}

interface Admitted {
  readonly grant: CallerGrant;
  readonly input: unknown;
  readonly touched: Touched | 'granted';
}

/** Steps 1 to 4: pure, and answered alike whether a scope exists or not. */
function admit(op: BoundRuleOp, { grant, channel }: RuleCaller, raw: unknown): Admitted {
  if (!grant) throw new Failure('unauthorized', 'no grant for this credential');
  if (grant.kind === 'service' && channel !== 'api') throw new Failure('channel-not-allowed', 'persons only');
  op.before?.(raw);
  const parsed = op.input.safeParse(raw);
  if (!parsed.success) throw invalid(parsed.error);
  const touched = op.touches(parsed.data);
  if (touched !== 'granted') {
    if ([...touched.scopes, ...(touched.named ?? [])].some(scope => !grant.scopes.includes(scope))) {
      throw new Failure('scope-not-allowed', 'a scope that this grant does not cover');
    }
    if (touched.scopes.length > 1 && touched.across !== true) {
      throw new Failure('multiple-scopes-without-flag', 'several scopes need cross_scope: true');
    }
  }
  if (op.right && !(CHANNEL_RIGHTS[channel].includes(op.right) && grant.rights.includes(op.right))) {
    throw new Failure('channel-not-allowed', `${op.right} is not allowed here`);
  }
  return { grant, input: parsed.data, touched };
}

const invalid = (error: z.ZodError): Failure => {
  const [first] = error.issues;
  const place = first?.path.join('.') ?? '';
  return new Failure('validation-failed', place === '' ? first!.message : `${place}: ${first!.message}`, {
    issues: error.issues.map(issue => ({ ...issue, path: issue.path.map(String) })),
  });
};
