import { hexId, type CallSpan, type SpanContext } from './span.ts';

/** Who sends. */
export interface TraceSource {
  readonly version: string;
  /** Name of the deployment. */
  readonly env: string;
}

/** A span as OTLP has it in JSON: times are nanoseconds as text, ids hex. */
export type OtlpSpan = ReturnType<typeof otlpSpan>;

const KIND_SERVER = 2;
const STATUS_ERROR = 2;

/** One call as a span; over MCP named as its conventions say: method and tool. */
export function otlpSpan(call: CallSpan, { traceId, parentId }: SpanContext) {
  const overMcp = call.transport === 'mcp_http';
  return {
    traceId,
    spanId: hexId(8),
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name: overMcp ? `tools/call ${call.tool}` : call.tool,
    kind: KIND_SERVER,
    startTimeUnixNano: nanos(call.startedAt),
    endTimeUnixNano: nanos(call.startedAt + call.ms),
    attributes: attributes({
      ...(overMcp ? { 'mcp.method.name': 'tools/call' } : {}),
      'gen_ai.tool.name': call.tool,
      'escurel.tenant': call.tenant,
      'escurel.transport': call.transport,
      'escurel.status': call.status,
      'escurel.request_id': call.requestId,
      'enduser.id': call.subject,
      ...(call.code === undefined ? {} : { 'error.type': call.code }),
    }),
    ...(call.status === 'error' ? { status: { code: STATUS_ERROR, message: call.code ?? 'error' } } : {}),
  };
}

/** The body of one export. */
export function otlpBody(spans: readonly OtlpSpan[], { version, env }: TraceSource): string {
  const resource = {
    attributes: attributes({
      'service.name': 'cairn',
      'service.version': version,
      'deployment.environment.name': env,
    }),
  };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'cairn', version }, spans }] }] });
}

const attributes = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** Whole microseconds, since a double holds no more of a moment of our days. */
const nanos = (ms: number): string => `${BigInt(Math.round(ms * 1000))}000`;
