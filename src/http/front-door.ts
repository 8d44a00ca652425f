import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { asFailure, Failure, FAILURES } from '../kernel/failure.ts';
import type { Log } from '../kernel/log.ts';
import { checkAccess, corsHeaders, PREFLIGHT_HEADERS, type AccessRules } from './access.ts';
import { faultOf } from './fault.ts';
import type { McpHttp } from './mcp-http.ts';
import type { Metrics } from './metrics.ts';
import { LAST, send, sendFailure, type BaseHeaders } from './reply.ts';
import { REQUEST_ID, requestIdOf } from './request-id.ts';

export interface FrontDoorParts {
  readonly access: AccessRules;
  readonly nextId: () => string;
  /** MCP endpoints by path. They are served below the framework, whose request and response objects they do not need. */
  readonly mcp: ReadonlyMap<string, McpHttp>;
  readonly plain: RequestListener;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** What every request passes first: a request id, Host and Origin, CORS; then the route. Never throws. */
export function frontDoor(parts: FrontDoorParts): RequestListener {
  const admit = checkAccess(parts.access);

  function admitted(request: IncomingMessage): string | undefined {
    try {
      return admit(request);
    } catch (thrown) {
      if (asFailure(thrown).code === 'origin_not_allowed' && looksItself(request)) return undefined;
      throw thrown;
    }
  }

  function serve(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>): void {
    if (hostHeaders(request.rawHeaders) > 1) throw new Failure('invalid_request', 'expected one Host');
    const origin = admitted(request);
    if (origin !== undefined) Object.assign(headers, corsHeaders(origin));
    const url = request.url ?? '';
    if (!url.startsWith('/')) throw new Failure('invalid_request', 'expected a path');
    if (isPreflight(request, origin)) return send(response, 204, headers, '', PREFLIGHT_HEADERS);
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const mcp = parts.mcp.get(path);
    if (mcp) return serveMcp(path, mcp, request, response, headers);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return parts.plain(request, response);
  }

  function serveMcp(
    path: string,
    mcp: McpHttp,
    request: IncomingMessage,
    response: ServerResponse,
    headers: BaseHeaders,
  ): void {
    const started = performance.now();
    // Counted as 200 whatever was answered (E700).
    void mcp(request, response, headers).then(() =>
      parts.metrics.request(path, 200, (performance.now() - started) / 1000),
    );
  }

  return (request, response) => {
    const headers = { [REQUEST_ID]: requestIdOf(request.headers[REQUEST_ID], parts.nextId) };
    try {
      serve(request, response, headers);
    } catch (thrown) {
      const failure = inWordsOf(request.url ?? '', asFailure(thrown));
      const { level, http } = FAILURES[failure.code];
      const fault = failure.code === 'internal' ? faultOf(failure) : {};
      parts.log[level](
        { request_id: headers[REQUEST_ID], code: failure.code, status: http, ...fault },
        'request.refused',
      );
      // What was wrong with the head of this one may be wrong with whatever else comes on the connection.
      sendFailure(response, failure, { ...headers, ...LAST });
    }
  };
}

/** Where people sign in, out and decide each request is asked for its origin once more, and forms are refused by a page (rules-gaps 2). */
const looksItself = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && /^\/(?:approval\/log(?:in|out)|v1\/rules\/[^/?]+\/decision)(?:\?|$)/.test(url);

/** Wherever rules are served a page of another Origin gets their code, on the combined endpoint too (contract of the rules 6.6). */
const inWordsOf = (url: string, failure: Failure): Failure =>
  failure.code === 'origin_not_allowed' && /^\/(?:(?:mcp\/rules|v1|approval)(?:[/?]|$)|mcp\/?(?:\?|$))/.test(url)
    ? new Failure('csrf-failed', failure.message)
    : failure;

/** Node keeps the first of several; whoever stands in front may have judged by another (RFC 9112, 3.2). */
function hostHeaders(raw: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < raw.length; at += 2) if (raw[at]!.length === 4 && raw[at]!.toLowerCase() === 'host') count++;
  return count;
}

/** A browser's question ahead of a call; it carries no token and needs none. */
const isPreflight = (request: IncomingMessage, origin: string | undefined): boolean =>
  request.method === 'OPTIONS' &&
  origin !== undefined &&
  request.headers['access-control-request-method'] !== undefined;
