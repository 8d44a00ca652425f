import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkedOrFault } from '../auth/index.ts';
import type { Verifier } from '../auth/ports.ts';
import { asFailure, Failure, FAILURES } from '../kernel/failure.ts';
import { isObject } from '../kernel/json.ts';
import type { Log } from '../kernel/log.ts';
import type { Principal } from '../kernel/principal.ts';
import { contentProblem, jsonOf, readBody } from './body.ts';
import { callOf } from './call-of.ts';
import { faultOf } from './fault.ts';
import { identified } from './identified.ts';
import { failureText, idOf, versionProblem } from './json-rpc.ts';
import { answerBatch } from './mcp-batch.ts';
import type { McpReply, McpServer } from './mcp.ts';
import { progressTokenOf } from './progress.ts';
import { eventStream, takesStream } from './event-stream.ts';
import { JSON_TYPE, send, sendFailure, TEXT_TYPE, type BaseHeaders } from './reply.ts';
import { REQUEST_ID } from './request-id.ts';
import { errorBody, retryAfterOf } from './rule-errors.ts';

export interface McpHttpParts {
  readonly server: McpServer;
  readonly verifier: Verifier;
  readonly log: Log;
  /** Largest body of a known caller, in bytes. */
  readonly maxBodyBytes: number;
  /** Why a caller has no business on this endpoint at all. */
  readonly refusal?: (principal: Principal) => Promise<Failure | undefined>;
  /** WWW-Authenticate of a 401. */
  readonly challenge: string;
}

/** One MCP endpoint over HTTP: stateless, answered with JSON whatever the Accept header says (M08, M09). Never rejects. */
export type McpHttp = (request: IncomingMessage, response: ServerResponse, headers: BaseHeaders) => Promise<void>;

/** Bytes that are read of a caller who is nobody: enough to name a broken envelope (E001), no more. */
const STRANGER_BYTES = 64 * 1024;

export function mcpHttp({ server, verifier, log, maxBodyBytes, refusal, challenge }: McpHttpParts): McpHttp {
  async function callerOf(request: IncomingMessage): Promise<Principal | Failure> {
    const caller = await identified(request, verifier);
    if (caller instanceof Failure) return refusal ? checkedOrFault(caller) : caller;
    return refusal ? ((await refusal(caller)) ?? caller) : caller;
  }

  async function post(request: IncomingMessage, response: ServerResponse, headers: BaseHeaders): Promise<void> {
    const caller = await callerOf(request);
    const nobody = caller instanceof Failure ? caller : undefined;
    const problem = contentProblem(request);
    if (problem) throw nobody ?? problem;
    const limit = nobody ? STRANGER_BYTES : maxBodyBytes;
    const body = await readBody(request, limit);
    if (body === 'too-large')
      throw nobody ?? new Failure('payload_too_large', `the body is over ${limit} bytes`, { max_bytes: limit });
    const parsed = jsonOf(body);
    if (!parsed || !isMessage(parsed.value)) {
      const why = parsed ? 'expected a JSON-RPC message' : 'expected JSON in UTF-8';
      return send(response, 400, headers, why, TEXT_TYPE);
    }
    const message = parsed.value;
    const broken = Array.isArray(message) ? undefined : versionProblem(message);
    if (broken) return sendReply(response, { status: 200, body: failureText(idOf(message), broken) }, headers);
    if (caller instanceof Failure) throw caller;
    const call = callOf(request, response, caller, headers[REQUEST_ID] ?? '');
    if (Array.isArray(message)) return sendReply(response, await answerBatch(message, call, server), headers);
    const stream = wantsProgress(message) && takesStream(request) ? eventStream(response, headers) : undefined;
    const reply = await server(message, stream ? { ...call, notify: stream.notify } : call);
    if (stream?.end(reply.body)) return;
    if (refusal && reply.refusal && isInWordsOfRules(reply.refusal)) throw reply.refusal;
    sendReply(response, reply, headers);
  }

  async function other(request: IncomingMessage, response: ServerResponse, headers: BaseHeaders): Promise<void> {
    // Who asks comes first, so that a client learns to sign in and not that there is nothing here (M17).
    const caller = await callerOf(request);
    if (caller instanceof Failure) throw caller;
    const body = JSON.stringify({ error: 'method_not_allowed', message: 'POST one JSON-RPC message' });
    send(response, 405, headers, body, { ...JSON_TYPE, allow: 'POST' });
  }

  function refuse(thrown: unknown, response: ServerResponse, headers: BaseHeaders): void {
    const failure = asFailure(thrown);
    const { http, level } = FAILURES[failure.code];
    const fault = failure.code === 'internal' ? faultOf(failure) : {};
    log[level]({ request_id: headers[REQUEST_ID], code: failure.code, status: http, ...fault }, 'mcp.refused');
    if (refusal && isInWordsOfRules(failure)) {
      const body = JSON.stringify(errorBody(failure, headers[REQUEST_ID] ?? ''));
      return send(response, http, headers, body, { ...JSON_TYPE, ...retryAfterOf(failure) });
    }
    sendFailure(response, failure, headers, challenge);
  }

  return (request, response, headers) =>
    (request.method === 'POST' ? post : other)(request, response, headers).catch((thrown: unknown) =>
      refuse(thrown, response, headers),
    );
}

/** Where rules alone are served, what shows in the status is said as on every other way to them (rules contract 6.6, rules-gaps 3). */
const isInWordsOfRules = ({ code }: Failure): boolean => code === 'internal' || code === 'rate-limited';

const wantsProgress = (message: unknown): boolean =>
  isObject(message) && progressTokenOf(message['params']) !== undefined;

/** What E034 lets through to JSON-RPC: an array, or an object that names a method. */
const isMessage = (value: unknown): boolean =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && 'method' in value);

function sendReply(response: ServerResponse, { status, body, retryAfterMs }: McpReply, headers: BaseHeaders): void {
  if (body === undefined) return send(response, status, headers, '');
  if (retryAfterMs === undefined) return send(response, status, headers, body, JSON_TYPE);
  const retry = { 'retry-after-ms': String(retryAfterMs), 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  send(response, status, headers, body, { ...JSON_TYPE, ...retry });
}
