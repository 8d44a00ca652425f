import { asFailure, Failure, FAILURES } from '../kernel/failure.ts';
import { isObject } from '../kernel/json.ts';
import type { Log } from '../kernel/log.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Registry } from '../kernel/registry.ts';
import type { Asking } from './asking.ts';
import type { Bind, Outcome } from './bind.ts';
import { faultOf } from './fault.ts';
import {
  checkedRequest,
  failureText,
  idOf,
  unknownMethodText,
  versionProblem,
  type RpcId,
  type RpcRequest,
} from './json-rpc.ts';
import { mcpResults, type ServerInfo } from './mcp-results.ts';
import type { Body } from './octets.ts';
import { progressOf, type Notify } from './progress.ts';
import { eraOf, unknownRevision, type Era, type McpHeaders } from './revision.ts';

/** What one MCP endpoint is made of. */
export interface McpParts {
  readonly ops: Registry;
  readonly serverInfo: ServerInfo;
  readonly bind: Bind;
  readonly log: Log;
  /** Whether a caller sees the tools of the rules surface; nobody does where it is missing. */
  readonly seesRules?: (principal: Principal) => Promise<boolean>;
  readonly ruleInstructions?: string;
}

/** What HTTP knows about a message: who sent it, and what the headers say of it. */
export interface McpCall extends Asking {
  readonly principal: Principal;
  readonly headers: McpHeaders;
  /** Sends a notification ahead of the answer, where the caller takes a stream. */
  readonly notify?: Notify | undefined;
}

/** `body` is JSON; without one the status says it all. `retryAfterMs` comes with a quota refusal. */
export interface McpReply {
  readonly status: number;
  readonly body?: Body;
  readonly retryAfterMs?: number;
  /** Why the status is that of a refusal. */
  readonly refusal?: Failure;
}

/** Answers one JSON-RPC message. Never rejects: whatever is wrong is in the reply. */
export type McpServer = (message: unknown, call: McpCall) => Promise<McpReply>;

export function mcpServer({ ops, serverInfo, bind, log, seesRules, ruleInstructions }: McpParts): McpServer {
  const results = mcpResults(ops, serverInfo, ruleInstructions);

  function called({ params }: RpcRequest, call: McpCall): Promise<Outcome> {
    const { name } = params;
    if (typeof name !== 'string')
      throw new Failure('invalid_params', 'tools/call params: name: expected a string', { place: 'name' });
    return bind.call({
      principal: call.principal,
      ops,
      name,
      args: params['arguments'],
      requestId: call.requestId,
      transport: 'mcp_http',
      signal: call.signal,
      traceparent: call.traceparent,
      progress: call.notify && progressOf(params, call.notify),
    });
  }

  function replyTo(id: RpcId, era: Era, outcome: Outcome): McpReply {
    if (outcome.kind === 'refused') return refused(id, outcome.failure);
    if (outcome.kind === 'failed') return { status: 200, body: failureText(id, outcome.failure) };
    return { status: 200, body: results.call(id, era, outcome) };
  }

  async function serve(message: unknown, call: McpCall): Promise<McpReply> {
    const problem = versionProblem(message);
    if (problem || !isObject(message)) throw problem ?? new Failure('invalid_request', 'expected an object');
    const notification = isNotification(message);
    const request = notification ? undefined : checkedRequest(message);
    const era = request ? eraOf(request, call.headers) : unknownRevision(call.headers.version);
    if (era instanceof Failure) return refused(idOf(message), era);
    if (request?.method === 'tools/call' && era) return replyTo(request.id, era, await called(request, call));
    const refusal = bind.refusal(call.principal);
    if (refusal) return refused(idOf(message), refusal);
    if (!request || !era) return { status: 202 };
    const rules = (await seesRules?.(call.principal)) ?? false;
    const body = results.method(request, era, { admin: call.principal.admin, rules });
    if (body !== undefined) return { status: 200, body };
    const status = era.kind === 'stateless' ? FAILURES.method_not_found.http : 200;
    return { status, body: unknownMethodText(request.id, request.method) };
  }

  function failed(thrown: unknown, message: unknown, call: McpCall): McpReply {
    const failure = asFailure(thrown);
    if (failure.code === 'internal') log.error({ request_id: call.requestId, ...faultOf(failure) }, 'mcp.fault');
    return { status: 200, body: failureText(idOf(message), failure) };
  }

  return (message, call) => serve(message, call).catch((thrown: unknown) => failed(thrown, message, call));
}

/** A message that wants no answer. Any name will do, unknown ones too (E004). */
const isNotification = (message: Record<string, unknown>): boolean =>
  message['id'] === undefined &&
  typeof message['method'] === 'string' &&
  message['method'].startsWith('notifications/');

/** A refusal that shows in the HTTP status as well. */
function refused(id: RpcId, failure: Failure): McpReply {
  const wait = failure.data['retry_after_ms'];
  return {
    status: FAILURES[failure.code].http,
    body: failureText(id, failure),
    refusal: failure,
    ...(typeof wait === 'number' ? { retryAfterMs: wait } : {}),
  };
}
