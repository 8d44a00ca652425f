import { asFailure, FAILURES, type Failure } from '../kernel/failure.ts';
import type { Json } from '../kernel/json.ts';
import type { Log } from '../kernel/log.ts';
import type { Transport } from '../kernel/op.ts';
import type { Asking } from './asking.ts';
import { faultOf } from './fault.ts';
import type { CallStatus, Metrics } from './metrics.ts';
import type { Traces } from './traces/exporter.ts';

/** One finished call of an op, on whatever transport. */
export interface CallRecord {
  readonly asking: Asking;
  readonly tenant: string;
  readonly tool: string;
  readonly transport: Transport;
  /** Who called: a subject, or where grants alone count the grant's id. */
  readonly subject: string;
  readonly status: CallStatus;
  /** What it was refused with, or failed by. */
  readonly problem: Failure | undefined;
  /** Milliseconds. */
  readonly ms: number;
  /** What else the log is told. */
  readonly more?: Readonly<Record<string, Json>> | undefined;
}

/** Counts, traces and logs a call: who, what, how long, and no word of what was sent or found (E704, N075). */
export type RecordCall = (call: CallRecord) => void;

export interface RecordParts {
  readonly metrics: Metrics;
  /** Where calls are traced; nowhere without it. */
  readonly traces?: Pick<Traces, 'call'> | undefined;
  readonly log: Log;
}

export function callRecorder({ metrics, traces, log: root }: RecordParts): RecordCall {
  // The fields of a call are fixed and none holds a secret: looking for secrets in them would double the price of a line.
  const log = root.child({}, { redact: [] });
  return ({ asking, tenant, tool, transport, subject, status, problem, ms, more }) => {
    const { requestId, traceparent } = asking;
    const ended = problem && endedBy(problem, asking);
    metrics.toolCall(tenant, tool, transport, status, ms);
    traces?.call({
      tool,
      transport,
      tenant,
      subject,
      status,
      code: ended?.told.code,
      requestId,
      traceparent,
      startedAt: Date.now() - ms,
      ms,
    });
    log[ended ? ended.level : 'info'](
      {
        tenant,
        tool,
        transport,
        subject,
        status,
        duration_ms: Math.round(ms * 1000) / 1000,
        request_id: requestId,
        trace_id: requestId,
        ...more,
        ...ended?.told,
      },
      'tool.completed',
    );
  };
}

/** Nothing is wrong with a call that failed because nobody waited for it any more. */
function endedBy(problem: Failure, { signal }: Asking) {
  const { code } = problem;
  if (code !== 'internal') return { level: FAILURES[code].level, told: { code } };
  if (signal().aborted) return { level: 'info', told: { code: 'cancelled' } } as const;
  return { level: FAILURES[code].level, told: { code, ...faultOf(problem) } };
}

/** What is known of a call of the rules surface before it ends. */
export interface RuleCall extends Pick<CallRecord, 'asking' | 'tenant' | 'tool' | 'transport' | 'subject'> {
  /** By `performance.now()`. */
  readonly started: number;
}

/** Runs such a call and records how it ended: what refuses it has no part in it (E699). Rejects with a Failure. */
export async function recorded<T>(
  record: RecordCall,
  { started, ...call }: RuleCall,
  run: () => Promise<T>,
): Promise<T> {
  const ended = (status: CallStatus, problem?: Failure): void =>
    record({ ...call, status, problem, ms: performance.now() - started });
  try {
    const result = await run();
    ended('ok');
    return result;
  } catch (thrown) {
    const failure = asFailure(thrown);
    ended(failure.code === 'internal' ? 'error' : 'rejected', failure);
    throw failure;
  }
}
