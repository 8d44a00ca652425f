import type { TenantGate } from '../auth/ports.ts';
import { asFailure, Failure } from '../kernel/failure.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { BoundOp, Progress, Transport } from '../kernel/op.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Registry } from '../kernel/registry.ts';
import { argumentReader, type ReadArguments } from './arguments.ts';
import type { Asking } from './asking.ts';
import type { RecordCall } from './call-record.ts';
import { CallContext } from './context.ts';
import type { CallStatus } from './metrics.ts';
import type { Body } from './octets.ts';
import { contentText, pageResults } from './page-results.ts';
import type { Quotas } from './ports.ts';
import { ruleArgumentReader, type ReadRuleArguments } from './rule-arguments.ts';
import { framedResult, refusedResult } from './rule-results.ts';
import { suspension } from './suspension.ts';

/** One call as a transport heard it. `args` is whatever was sent. */
export interface Call extends Asking {
  readonly principal: Principal;
  /** The ops that the endpoint carries. */
  readonly ops: Registry;
  readonly name: string;
  readonly args: unknown;
  readonly transport: Transport;
  /** Where the caller asked to hear how far the call is. */
  readonly progress?: Progress | undefined;
}

/**
 * `answer`: the content of the result, `isError` when it reports a refusal (E014-E016), with the notes of the call; `refusal` where a
 * tool of the rules surface refused. `refused`: stopped at the gate by quota, limit or suspension. `failed`: refused or failed beyond
 * it.
 */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly content: Body;
      readonly isError: boolean;
      readonly notes: JsonObject | undefined;
      readonly refusal?: Failure;
    }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The one way to an op: identity (already known) → quota → suspension → role → arguments → run. */
export interface Bind {
  /** Why a caller may not be served at all: a suspended tenant, unless an admin asks (E057, E060). */
  refusal(principal: Principal): Failure | undefined;
  call(call: Call): Promise<Outcome>;
}

export interface BindParts {
  readonly tenants: TenantGate;
  readonly quotas: Quotas;
  readonly record: RecordCall;
  /** Whether results about pages reach a model only in frames. */
  readonly framePages?: boolean;
  readonly now: () => Date;
}

export function createBind(parts: BindParts): Bind {
  const readers = new Map<BoundOp, ReadArguments>();
  const ruleReaders = new Map<BoundOp, ReadRuleArguments>();
  const labelOfUnknown = boundedLabels();
  const written = pageResults(parts.framePages === true);

  function refusal(principal: Principal): Failure | undefined {
    return principal.admin ? undefined : suspension(parts.tenants);
  }

  /** An unknown tool costs a query, so that names cannot be guessed for nothing (E069). */
  function debit(principal: Principal, op: BoundOp | undefined): Failure | undefined {
    const dimension = op ? op.quota : 'queries';
    if (dimension === 'none' || !principal.metered) return undefined;
    const taken = parts.quotas.debit(principal.tenant, dimension);
    if (taken.ok) return undefined;
    const wait = Math.ceil(taken.retryAfterMs);
    return new Failure('quota_exhausted', `quota exhausted: ${dimension}; retry in ${wait} ms`, {
      dimension,
      retry_after_ms: wait,
    });
  }

  async function run(call: Call, op: BoundOp | undefined): Promise<Outcome> {
    try {
      if (!op) throw new Failure('method_not_found', `unknown tool: ${call.name.slice(0, 64)}`);
      if (op.scope === 'admin' && !call.principal.admin)
        throw new Failure('admin_required', `${op.name} needs the admin role`);
      const ctx = new CallContext(call, parts.now);
      const read = readers.get(op) ?? argumentReader(op);
      readers.set(op, read);
      const payload = await op.run(ctx, read(call.args, ctx.note));
      return { kind: 'answer', content: written(op, payload), isError: isRejected(op, payload), notes: ctx.notes };
    } catch (thrown) {
      return { kind: 'failed', failure: asFailure(thrown) };
    }
  }

  /** Rules ops look at the caller themselves, refuse in their results, and never let foreign text out of its frames. */
  async function runRule(call: Call, op: BoundOp): Promise<Outcome> {
    const ctx = new CallContext(call, parts.now);
    const read = ruleReaders.get(op) ?? ruleArgumentReader(op);
    ruleReaders.set(op, read);
    try {
      const payload = await op.run(ctx, read(call.args, ctx.note) as Record<string, unknown>);
      const { text, structured } = framedResult(payload);
      return { kind: 'answer', content: contentText(text, structured), isError: false, notes: ctx.notes };
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.code === 'rate-limited') return { kind: 'refused', failure };
      const { text, structured } = refusedResult(op, failure, call.requestId);
      const content = contentText(text, structured);
      return { kind: 'answer', content, isError: true, notes: ctx.notes, refusal: failure };
    }
  }

  function record(call: Call, op: BoundOp | undefined, outcome: Outcome, ms: number): void {
    const { tenant, subject } = call.principal;
    parts.record({
      asking: call,
      tenant,
      tool: op ? op.name : labelOfUnknown(call.name),
      transport: call.transport,
      subject,
      status: statusOf(outcome),
      problem: outcome.kind === 'answer' ? outcome.refusal : outcome.failure,
      ms,
      more: outcome.kind === 'answer' && outcome.notes ? coercedOf(outcome.notes) : undefined,
    });
  }

  return {
    refusal,
    async call(call) {
      const op = call.ops.find(call.name);
      const failure = debit(call.principal, op) ?? refusal(call.principal);
      if (failure) return { kind: 'refused', failure };
      const started = performance.now();
      const outcome = await (op?.surface === 'rules' ? runRule(call, op) : run(call, op));
      if (outcome.kind !== 'refused') record(call, op, outcome, performance.now() - started);
      return outcome;
    },
  };
}

/** A payload `ok: false` is a refusal, except from an op that only reports and from a dry run (E014-E017). */
const isRejected = (op: BoundOp, payload: Record<string, unknown>): boolean =>
  payload['ok'] === false && op.reportsOnly !== true && payload['dry_run'] !== true;

const statusOf = (outcome: Outcome): CallStatus => {
  if (outcome.kind !== 'answer' || outcome.refusal?.code === 'internal') return 'error';
  return outcome.isError ? 'rejected' : 'ok';
};

/** Arguments that came as text and stood for something else; a model that does this often is worth knowing (M05). */
const coercedOf = ({ coerced_arguments }: JsonObject): JsonObject => (coerced_arguments ? { coerced_arguments } : {});

const MAX_UNKNOWN = 50;

/** Names as sent, but only so many of them: a label is kept for ever (E702). */
function boundedLabels(): (name: string) => string {
  const seen = new Set<string>();
  return name => {
    if (seen.size < MAX_UNKNOWN && name.length <= 64) seen.add(name);
    return seen.has(name) ? name : 'unknown';
  };
}
