import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Verifier } from '../auth/ports.ts';
import { asFailure, Failure, FAILURES } from '../kernel/failure.ts';
import type { Log } from '../kernel/log.ts';
import { contentProblem, jsonOf, readBody } from './body.ts';
import { callOf } from './call-of.ts';
import { faultOf } from './fault.ts';
import { identified } from './identified.ts';
import { failureText, idOf, versionProblem } from './json-rpc.ts';
import { answerBatch } from './mcp-batch.ts';
import type { McpReply, McpServer } from './mcp.ts';
import { hangUpAfter, JSON_TYPE, send, sendFailure, TEXT_TYPE } from './reply.ts';

export interface McpHttpParts {
  readonly server: McpServer;
  readonly verifier: Verifier;
  readonly log: Log;
  /** Largest body of a known caller, in bytes. */
  readonly maxBodyBytes: number;
}

/** One MCP endpoint over HTTP: stateless, answered with JSON whatever the Accept header says (M08, M09). Never rejects. */
export type McpHttp = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void>;

/** Bytes that are read of a caller who is nobody: enough to name a broken envelope (E001), no more. */
const STRANGER_BYTES = 64 * 1024;
const DISCARD_MS = 2000;

export function mcpHttp({ server, verifier, log, maxBodyBytes }: McpHttpParts): McpHttp {
  async function post(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const caller = await identified(request, verifier);
    const nobody = caller instanceof Failure ? caller : undefined;
    const problem = contentProblem(request);
    if (problem) throw nobody ?? problem;
    const limit = nobody ? STRANGER_BYTES : maxBodyBytes;
    const body = await readBody(request, limit);
    if (body === 'too-large')
      throw nobody ?? new Failure('payload_too_large', `the body is over ${limit} bytes`, { max_bytes: limit });
    const parsed = jsonOf(body);
    if (!parsed || !isMessage(parsed.value)) {
      send(response, 400, TEXT_TYPE, parsed ? 'expected a JSON-RPC message' : 'expected JSON in UTF-8');
      return;
    }
    const message = parsed.value;
    const broken = Array.isArray(message) ? undefined : versionProblem(message);
    if (broken) sendReply(response, { status: 200, body: failureText(idOf(message), broken) });
    else if (caller instanceof Failure) throw caller;
    else {
      const call = callOf(request, response, caller, requestId);
      sendReply(response, await (Array.isArray(message) ? answerBatch(message, call, server) : server(message, call)));
    }
  }

  async function other(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Who asks comes first, so that a client learns to sign in and not that there is nothing here (M17).
    const caller = await identified(request, verifier);
    if (caller instanceof Failure) throw caller;
    const body = JSON.stringify({ error: 'method_not_allowed', message: 'POST one JSON-RPC message' });
    send(response, 405, JSON_TYPE, body, { allow: 'POST' });
  }

  return async (request, response, requestId) => {
    try {
      await (request.method === 'POST' ? post(request, response, requestId) : other(request, response));
    } catch (thrown) {
      const failure = asFailure(thrown);
      const { http, level } = FAILURES[failure.code];
      const fault = failure.code === 'internal' ? faultOf(failure) : {};
      log[level]({ request_id: requestId, code: failure.code, status: http, ...fault }, 'mcp.refused');
      if (!request.complete) hangUpAfter(response, DISCARD_MS);
      sendFailure(response, failure, request.complete ? {} : { connection: 'close' });
    }
  };
}

/** What E034 lets through to JSON-RPC: an array, or an object that names a method. */
const isMessage = (value: unknown): boolean =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && 'method' in value);

function sendReply(response: ServerResponse, { status, body, retryAfterMs }: McpReply): void {
  if (body === undefined) send(response, status, undefined, '');
  else if (retryAfterMs === undefined) send(response, status, JSON_TYPE, body);
  else
    send(response, status, JSON_TYPE, body, {
      'retry-after-ms': String(retryAfterMs),
      'retry-after': String(Math.ceil(retryAfterMs / 1000)),
    });
}
