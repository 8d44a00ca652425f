import { randomBytes } from 'node:crypto';
import type { Transport } from '../../kernel/op.ts';
import type { CallStatus } from '../metrics.ts';

/** One finished tool call as a trace tells of it. Never holds arguments, answers or tokens. */
export interface CallSpan {
  readonly tool: string;
  readonly transport: Transport;
  readonly tenant: string;
  readonly subject: string;
  readonly status: CallStatus;
  /** Code of the refusal or fault. */
  readonly code?: string | undefined;
  readonly requestId: string;
  /** The header of that name: the call's place in a trace that began elsewhere. */
  readonly traceparent?: string | undefined;
  /** Milliseconds since 1970, and how many the call took. */
  readonly startedAt: number;
  readonly ms: number;
}

/** Where a call stands in its trace (W3C Trace Context, version 00). */
export interface SpanContext {
  readonly traceId: string;
  readonly parentId?: string;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The trace that the caller is in, else a new one; null where the caller says that it is not recorded. */
export function spanContext(traceparent: string | undefined): SpanContext | null {
  const [, traceId, parentId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || parentId === undefined) return { traceId: hexId(16) };
  return (Number.parseInt(flags ?? '', 16) & 1) === 1 ? { traceId, parentId } : null;
}

export const hexId = (bytes: number): string => randomBytes(bytes).toString('hex');
